"""Printed blocks of creatures that stand in no book, one in each form."""

PATHFINDER = """\
Quarry Tyrant CR 7
XP 3,200
CE Large humanoid (giant)
Init -1; Senses low-light vision, see invisibility; Perception +8
DEFENSE
AC 21, touch 8, flat-footed 21 (+4 armor, –1 Dex, +9 natural, –1 size)
hp 95 (10d8+50); regeneration 5 (acid)
Fort +12, Ref +2, Will +3 (+5 vs. fear)
Defensive Abilities rock catching; DR 5/cold iron and good; Immune fire, sleep; Resist cold 5; SR 18
Weaknesses light blindness
OFFENSE
Speed 30 ft. (40 ft. without armor), climb 20 ft., burrow 5 ft.
Melee mwk greatclub +15/+10 (2d8+10/19-20) or
2 slams +13 (1d8+7 plus 1d6 fire and grab)
Ranged rock +6 (1d8+10)
Space 10 ft.; Reach 10 ft.
Special Attacks rock throwing (120 ft.)
STATISTICS
Str 25, Dex 8, Con 20, Int 6, Wis 10, Cha 7
Base Atk +7; CMB +15; CMD 24
Feats Cleave, Great Fortitude, Power Attack, Weapon Focus (greatclub)
Skills Climb +10, Perception +8
Languages Giant
SPECIAL ABILITIES
Quarry Stench (Ex) AC 10 is what its neighbours wish for.
"""

CLASSIC = """\
Bog Stalker
Size/Type: Large Giant (Aquatic)
Hit Dice: 6d8+24 (51 hp)
Initiative: +5
Speed: 30 ft. (6 squares), swim 20 ft., burrow 5 ft.
Armor Class: 17 (–1 size, +1 Dex, +5 natural, +2 leather armor), touch 10, flat-footed 16
Base Attack/Grapple: +4/+14
Attack: Claw +9 melee (1d6+6) or javelin +4 ranged (1d8+6)
Full Attack: 2 claws +9 melee (1d6+6) and bite +4 melee (1d8+3 plus 1d6 acid); or javelin +4 ranged (1d8+6)
Space/Reach: 10 ft./10 ft.
Special Attacks: Rend 2d6+9
Special Qualities: Damage reduction 5/magic, darkvision 60 ft., resistance to acid 10 and cold 5,
spell resistance 14
Saves: Fort +9, Ref +3, Will +3
Abilities: Str 23, Dex 12, Con 18, Int 6,
Wis 12, Cha 7
Skills: Hide +2*, Listen +5
Feats: Alertness, Improved Initiative, Iron Will
Environment: Warm marshes
"""

ONE_LINE = (
    "Sergeant Ovid, male human fighter 6: CR 6; Medium humanoid; HD 6d10+12; hp 49; Init +5; Spd 20 ft.; "
    "AC 19 (+8 full plate, +1 Dex), touch 11, flat-footed 18; Base Atk +6; Grp +9; "
    "Atk +11 melee (2d6+7/19-20, +1 greatsword); Full Atk +11/+6 melee (2d6+7/19-20, +1 greatsword); "
    "Space/Reach 5 ft./5 ft.; SA -; SQ -; AL LN; SV Fort +7, Ref +3, Will +2; "
    "Str 16, Dex 13, Con 14, Int 10, Wis 10, Cha 12. Skills and Feats: Climb +5; "
    "Improved Initiative, Weapon Focus (greatsword), Weapon Specialization (greatsword)"
)

BASE = """\
Trial
N Medium humanoid
AC 12, touch 12, flat-footed 10 (+2 Dex)
hp 30 (6d8+3)
Fort +2, Ref +4, Will +2
Speed 30 ft.
{attacks}
Str {strength}, Dex 14, Con 10, Int 10, Wis 10, Cha 10
Base Atk +6; CMB +9; CMD 21
Feats {feats}
"""


def trial(attacks: str, strength: int | str = 16, feats: str = "Alertness") -> str:
    """Return a block with these lines of attacks: base attack +6, Dexterity 14, medium."""
    return BASE.format(attacks=attacks, strength=strength, feats=feats)
