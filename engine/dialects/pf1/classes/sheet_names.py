"""What pf1 reads of the names on a sheet, besides those of its features."""

from affray.engine.record.sheet_names import SheetNames, fields, names

SHEET_NAMES = SheetNames(
    feats=names(
        """
        agile maneuvers, arcane strike, bleeding critical, blind-fight, blinding critical, channel smite,
        cleave, combat casting, combat expertise, combat reflexes, command undead, critical focus, critical
        mastery,
        dazzling display, deadly aim, deafening critical, defensive combat training, diehard, disruptive,
        dodge, double slice, exhausting critical, extra channel, far shot, fleet, great cleave, greater
        bull rush, greater dirty trick, greater disarm, greater drag, greater feint, greater grapple,
        greater overrun, greater penetrating strike, greater reposition, greater steal, greater sunder,
        greater trip, greater two-weapon fighting, greater vital strike, improved bull rush, improved
        channel, improved critical (*), improved dirty trick, improved disarm, improved drag, improved
        feint, improved grapple, improved overrun, improved precise shot, improved reposition,
        improved shield bash, improved steal, improved sunder, improved trip, improved two-weapon
        fighting, improved unarmed strike, improved vital strike, lunge, manyshot, mobility, mounted
        archery, mounted combat, multiattack, multiweapon fighting, penetrating strike, point blank
        shot, power attack, precise shot, quick draw, rapid shot, ride-by attack, run, selective
        channeling, shatter defenses, shield focus, shield master, shield slam, shot on the run,
        sickening critical, spellbreaker, spirited charge, spring attack, staggering critical, stand
        still, step up, stunning critical, stunning fist, tiring critical, toughness, trample, turn
        undead, two-weapon fighting, two-weapon rend, unseat, weapon finesse, weapon focus (*),
        weapon specialization (*), whirlwind attack
        """
    ),
    traits=names(
        """
        arms *, bareback, bonus feat *, bulky, careful, channel negative energy, channel positive energy,
        channel resistance *, combat trained, constrict *, construct, darkvision, darkvision *, elemental,
        evasion, evil, freedom of movement, hive mind, improved evasion, improved uncanny dodge,
        incorporeal, military saddle, mindless, multiweapon mastery, no holy symbol, object, ooze, outsider,
        plant, rage, rend *, see invisibility, sneak attack, sneak attack *, stable, superior two-weapon
        fighting, swallow whole *, swarm, trained tumbler, trample, trample *, uncanny dodge, undead,
        unsuited, vermin, vitals out of reach, vulnerability to *, warhorse, wingless
        """
    ),
    weapon_traits=names(
        """
        a hand, adamantine, armed, attacks *, axes, bows, brace, broken, close, crossbows, disarm,
        double, drawn as ammunition, entangle, finesse, flails, force, ghost touch, grab, hafted, hammers,
        heavy blades, in one hand, incorporeal, lance, lethal, light blades, magic, metal-hafted, monk,
        natural, near-and-far, no melee use, no-threat, nonlethal, not a hand, pole arms, polearms,
        primary, pull *, push *, rake, rends, secondary, shield bash, slow-load, spears, splash, thrown,
        touch, trip, unfolded
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
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, blinded, cowering, dazed,
        dazzled, frightened, nauseated, panicked, shaken, sickened, staggered, confused, deafened,
        fascinated, entangled, fear, mind-affecting, paralysis, sleep, stunning, petrification, fatigue,
        exhaustion, death, bleed, poison, disease, ability loss, ability damage, ability drain, energy
        drain, physical ability damage, critical hits, precision damage, flanking, nonlethal, gaze,
        suffocation, abjuration, conjuration, divination, enchantment, evocation, illusion, necromancy,
        transmutation
        """
    ),
    class_immunities={
        "druid": {"poison": 9},
        "monk": {"disease": 5, "poison": 11},
        "paladin": {"fear": 3, "disease": 3},
    },
    unread=fields(
        Sheet="climb carried speed_bonuses good_saves spell_failure",
        Weapon="masterwork ounces",
        Worn="failure ounces",
        Spell="arcane reach works",
        Rider="secondary",
    ),
)
