"""What pf1 reads of the names on a sheet, besides those of its features."""

from affray.engine.record.sheet_names import SheetNames, fields, names

SHEET_NAMES = SheetNames(
    feats=names(
        """
        blind-fight, cleave, combat casting, combat expertise, combat reflexes, critical focus, deadly aim,
        diehard, dodge, double slice, far shot, fleet, great cleave, greater two-weapon fighting,
        greater vital strike, improved critical (*), improved precise shot, improved two-weapon fighting,
        improved unarmed strike, improved vital strike, manyshot, mobility, multiattack,
        multiweapon fighting, point blank shot, power attack, precise shot, quick draw, rapid shot, run,
        shot on the run, spring attack, stunning fist, toughness, two-weapon fighting, weapon finesse,
        weapon focus (*), weapon specialization (*), whirlwind attack
        """
    ),
    traits=names(
        """
        arms *, bonus feat *, bulky, careful, construct, elemental, immune to critical hits, immunity to
        critical hits, incorporeal, multiweapon mastery, object, ooze, see invisibility, stable,
        superior two-weapon fighting, swarm, trained tumbler, uncanny dodge, undead
        """
    ),
    weapon_traits=names(
        """
        a hand, armed, attacks *, brace, double, drawn as ammunition, finesse, in one hand, incorporeal,
        lethal, monk, near-and-far, no melee use, no-threat, nonlethal, not a hand, primary, rake, secondary,
        slow-load, touch
        """
    ),
    skills=names(
        """
        acrobatics, appraise, bluff, climb, craft (*), craft, diplomacy, disable device, disguise,
        escape artist, fly, handle animal, heal, intimidate, knowledge (*), knowledge, linguistics,
        perception, perform (*), perform, profession (*), profession, ride, sense motive, sleight of
        hand, spellcraft, stealth, survival, swim, use magic device
        """
    ),
    classes=names(
        """
        barbarian, bard, cleric, druid, fighter, monk, paladin, ranger, rogue, sorcerer, wizard,
        adept, aristocrat, commoner, expert, warrior
        """
    ),
    unread=fields(
        Sheet="legs spell_resistance base_speed carried speed_bonuses maneuver check_penalties good_saves "
        "spell_failure poisons",
        Weapon="material masterwork ounces",
        Worn="weight check failure enhancement masterwork material ounces",
        Spell="resistance school caster_level arcane spontaneous metamagic delivery dispels works",
    ),
)
