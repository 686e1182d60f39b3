"""What futurepath reads of the names on a sheet, besides those of its features."""

from affray.engine.record.sheet_names import SheetNames, fields, names

#: The feats that rules here read; none of them is an action of its own.
FEATS = names(
    """
    advanced firearms proficiency, blind-fight, burst fire, combat casting, combat martial arts,
    combat reflexes, extra attack, improved initiative, improved unarmed strike, precise shot, sunder,
    two-weapon fighting, weapon finesse, weapon focus (*), weapon specialization (*)
    """
)

SHEET_NAMES = SheetNames(
    feats=FEATS,
    traits=names(
        """
        careful, carried by (*), construct, covers (*), door, elemental, incorporeal, object, ooze, plant,
        see invisibility, spacecraft, stable, swarm, trained tumbler, uncanny dodge, undead, vehicle
        """
    ),
    weapon_traits=names(
        """
        armed, automatic, automatic only, burst (*), double, drawn as ammunition, explosive, finesse,
        internal-magazine, lethal, near-and-far, no melee use, no-threat, nonlethal, not prone, reflex (*),
        slow-load, splash, splash damage (*), touch, trip,
        fine, diminutive, tiny, small, medium, large, huge, gargantuan, colossal
        """
    ),
    skills=names(
        """
        acrobatics, appraise, bluff, climb, craft (*), craft, diplomacy, disable device, disguise,
        escape artist, fly, handle animal, heal, intimidate, knowledge (*), knowledge, linguistics,
        perception, perform (*), perform, profession (*), profession, repair, ride, sense motive, sleight of
        hand, spellcraft, stealth, survival, swim, treat injury, tumble, use magic device
        """
    ),
    classes=names(
        """
        adept, soldier
        """
    ),
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, ballistic, concussion,
        blinded, cowering, dazed, dazzled, frightened, nauseated, shaken, sickened, staggered,
        entangled, fear, mind-affecting, paralysis, sleep, stunning, death, critical hits, flanking,
        nonlethal
        """
    ),
    unread=fields(
        Sheet="carried armor_weight spell_resistance bare speed_bonuses maneuver check_penalties good_saves "
        "spell_failure fast_healing regeneration lethal poisons",
        Weapon="rating material masterwork ounces riders",
        Worn="kind bonus weight check failure enhancement masterwork material size ounces traits",
        Spell="ability components item resistance school key caster_level arcane spontaneous metamagic "
        "grants ongoing delivery dispels reach riders healing works temporary save_each_round",
    ),
)
