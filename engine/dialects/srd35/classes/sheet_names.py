"""What srd35 reads of the names on a sheet, besides those of its features."""

from affray.engine.record.sheet_names import SheetNames, fields, names

SHEET_NAMES = SheetNames(
    feats=names(
        """
        awesome blow, blind-fight, cleave, combat casting, combat expertise, combat reflexes, deflect arrows,
        diehard, dodge, endurance, exotic weapon proficiency (*), extra turning, far shot, flyby attack,
        great cleave, greater spell focus (*), greater spell penetration, greater two-weapon fighting, hover,
        improved bull rush, improved counterspell, improved critical (*), improved disarm, improved feint,
        improved grapple, improved overrun, improved precise shot, improved shield bash, improved sunder,
        improved trip, improved turning, improved two-weapon fighting, improved unarmed strike, manyshot,
        mobility, mounted archery, mounted combat, multiattack, multiweapon fighting, precise shot,
        quick draw, rapid reload (*), rapid shot, ride-by attack, run, shot on the run, snatch arrows,
        spell focus (*), spell penetration, spirited charge, spring attack, stunning fist, toughness, trample,
        two-weapon fighting, weapon finesse, weapon focus (*), weapon specialization (*), whirlwind attack,
        wingover
        """
    ),
    traits=names(
        """
        arcane lock, arms, arms *, barding, bareback, blindsense, blindsense *, blindsight, blindsight *,
        bonus feat *, bulky, careful, carried by, carried by *, constrict, constrict *, construct, crippling
        strike, darkvision, darkvision *, defensive roll, dwarf, elemental, entangle, evasion, evil, exotic
        weapon proficiency (*), fills its space, flying, freedom of movement, good, gut, gut *, hive mind,
        hold portal, human, immune to critical hits, improved evasion, improved grab, improved uncanny
        dodge, improvised, incorporeal, low-light vision, martial for dwarves, martial if two-handed,
        military saddle, mindless, multiweapon mastery, no holy symbol, no-threat, nonproficient in melee,
        not made to be thrown, object, ooze, opportunist, outsider, overpowering scent, plant, pounce, rapid
        reload (*), rebuke *, rebuke undead, rend, rend *, scent, see invisibility, spiked gauntlet, stable,
        stones, strong scent, superior two-weapon fighting, swallow whole, swallow whole *, swarm, trained
        tumbler, trample, trample *, tremorsense, tremorsense *, true seeing, turn *, turn resistance, turn
        resistance *, turn undead, uncanny dodge, undead, unsuited, vermin, vitals out of reach,
        vulnerability to *, warhorse
        """
    ),
    weapon_traits=names(
        """
        armed, as printed, attacks *, brace, cannot be disarmed, double, drawn as ammunition, entangle,
        finesse, force, hafted, hidden, improved grab, improvised, in one hand, keen, lance, lethal,
        locked gauntlet, magic, massive, metal-hafted, monk, near-and-far, no 1.5 Str in two hands,
        no damage vs armor +1 or natural armor +3, no melee use, no-threat, nonlethal, primary, provokes,
        rake, ranged trip, rends, secondary, shield bash, slow-load, splash, stones, touch, trip, unfolded
        """
    ),
    skills=names(
        """
        appraise, balance, bluff, climb, concentration, craft (*), craft, decipher script,
        diplomacy, disable device, disguise, escape artist, forgery, gather information, handle
        animal, heal, hide, intimidate, jump, knowledge (*), knowledge, listen, move silently, open
        lock, perform (*), perform, profession (*), profession, ride, search, sense motive, sleight
        of hand, speak language, spellcraft, spot, survival, swim, tumble, use magic device, use
        rope
        """
    ),
    classes=names(
        """
        barbarian, bard, cleric, druid, fighter, monk, paladin, ranger, rogue, sorcerer, wizard,
        adept, aristocrat, commoner, expert, warrior
        """
    ),
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, blinded, cowering, dazed,
        dazzled, frightened, nauseated, panicked, shaken, sickened, staggered, confused, deafened,
        fascinated, charmed, charm, entangled, fear, mind-affecting, paralysis, sleep, stunning,
        petrification, fatigue, exhaustion, death, poison, disease, ability loss, ability damage, ability
        drain, energy drain, physical ability damage, critical hits, precision damage, flanking,
        nonlethal, gaze, suffocation, abjuration, conjuration, divination, enchantment, evocation,
        illusion, necromancy, transmutation
        """
    ),
    class_immunities={
        "druid": {"poison": 9},
        "monk": {"disease": 5, "poison": 11},
        "paladin": {"disease": 3},
    },
    unread=fields(Sheet="spell_failure", Weapon="ounces", Worn="ounces traits", Spell="works"),
)
