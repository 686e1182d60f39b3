"""What woa reads of the names on a sheet, besides those of its features."""

from affray.engine.record.sheet_names import SheetNames, fields, names

SHEET_NAMES = SheetNames(
    feats=names(
        """
        blind-fight, bloody assault, bloody assault *, born flyer, careful aim, combat expertise,
        combat reflexes, deadly shot, deadly stroke, disarming strike, dodge, far shot, flying,
        improved disarm, improved feint, improved grab, improved overrun, improved shield bash,
        improved sunder, improved trip, improved unarmed strike, mounted archery, mounted combat,
        mounted skirmisher, quick draw, shield focus, shield specialization, shot on the run, spring attack,
        sundering strike, total-defense, trample, tripping strike, two-weapon defense, two-weapon fighting,
        weapon focus (*), whirlwind attack, wind stance
        """
    )
    | {"blindsight, 5-ft. radius"},
    traits=names(
        """
        * load, * takes both hands, all-around vision, bareback, barrier, blind sight, blind sight *,
        blindsight, blindsight *, bloodless, borrowed flight, breath of frost, breathes water, buoyant flight,
        cannot be tripped, careful, charging line, costly *, darkvision, darkvision *, evil, fills its space,
        flying, gaseous, granted *, granted * *, height, height *, immediate *, immune to critical hits,
        improved uncanny dodge, incorporeal, ki, ki *, low-light vision, military saddle, mindless, no *, no
        discernible anatomy, no holy symbol, nonproficient armor, ooze, phalanx, reaction *, see invisibility,
        sees through smoke, snake, stable, sudden strike, sudden strike *, sudden strike x, sudden strike x*,
        swarm, swift *, tower shield, trained tumbler, tremorsense, tremorsense *, true seeing, turn
        resistance, turn resistance *, uncanny dodge, undead, vulnerable spot, war-trained, weightless
        """
    ),
    weapon_traits=names(
        """
        armed, armor stops, brace, double, drawn as ammunition, hafted, lance, like a spear,
        locked gauntlet, metal-hafted, near-and-far, no melee use, no-threat, nonlethal, prone use, shield,
        slow-load, spell, splash, touch, trip
        """
    ),
    skills=names(
        """
        acrobatics, appraise, athletics, balance, bluff, climb, concentration, craft (*), craft,
        decipher script, diplomacy, disable device, disguise, endurance, escape artist, forgery,
        gather information, handle animal, heal, hide, insight, intimidate, jump, knowledge (*),
        knowledge, listen, move silently, open lock, perform (*), perform, profession (*),
        profession, ride, search, sense motive, sleight of hand, speak language, spellcraft, spot,
        stealth, survival, swim, tumble, use magic device, use rope
        """
    ),
    classes=names(
        """
        barbarian, bard, cleric, druid, fighter, monk, paladin, ranger, rogue, sorcerer, wizard,
        thief, warrior
        """
    ),
    immunities=names(
        """
        acid, cold, electricity, fire, sonic, bludgeoning, piercing, slashing, blinded, cowering, dazed,
        dazzled, frightened, nauseated, panicked, shaken, sickened, staggered, deafened, entangled, fear,
        mind-affecting, paralysis, stunning, fatigue, exhaustion, bleed, critical hits, nonlethal, slowed
        """
    ),
    riders=names("stunning"),
    unread=fields(
        Sheet="spell_resistance lethal check_penalties good_saves spell_failure "
        "fast_healing regeneration poisons maneuver",
        Weapon="size material masterwork ounces",
        Worn="weight max_dex check failure proficient masterwork material ounces traits",
        Spell="resistance key arcane spontaneous metamagic ongoing delivery reach temporary save_each_round",
        Rider="delivery effect secondary",
    ),
)
