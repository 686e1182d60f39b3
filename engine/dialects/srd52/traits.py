"""Traits of monsters, and further effects of their hits: a row for each."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd52 import damage, monster, position, test
from affray.engine.dialects.srd52.classes import fields_of
from affray.engine.dialects.srd52.conditions import SHIFTED, die, gain, incapacitating
from affray.engine.dialects.srd52.features import Blow, Dice, Feature, Held, Parts, Strike
from affray.engine.dialects.srd52.position import SIZES, distance, is_ground, size_of, within
from affray.engine.dialects.srd52.printed import HEADS, Action, actions_of
from affray.engine.dialects.srd52.ready import can_react
from affray.engine.dialects.srd52.senses import BRIGHT, light_at
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.grid.distance import space
from affray.engine.kernel.places import squares_of
from affray.engine.record.acts import details_of
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import (
    CounterChanged,
    EffectGained,
    ItemChanged,
    Moved,
    ResourceSpent,
    Until,
)
from affray.events.facts.flow import ActionSpent, ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Attack rolls, checks and saves


def pack_tactics(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield Advantage while an able ally of the attacker is next to the target."""
    near = fight.figure(held.feature.topic, "ally_within_ft")
    allies = fight.allies(held.holder)
    if any(within(one, strike.target, near) and not incapacitating(one) for one in allies):
        yield test.source(fight, held.feature.topic, "attack", held.name)


def blood_frenzy(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield Advantage on attacks against the wounded."""
    if strike.target.hp < strike.target.max_hp:
        yield test.source(fight, held.feature.topic, "attack", held.name)


def while_bloodied(fight: Fight, held: Held, *about: object) -> Iterator[Modifier]:
    """Yield Advantage while the holder is Bloodied."""
    if damage.is_bloodied(fight, held.holder):
        yield test.source(fight, held.feature.topic, "attack", held.name)


def against_magic(fight: Fight, held: Held, name: str, against: frozenset[str]) -> Iterator[Modifier]:
    """Yield Advantage on saves against spells and other magic."""
    if MAGIC & against:
        yield test.source(fight, held.feature.topic, "save", held.name)


MAGIC: Final = frozenset({"spell", "magic"})


def saved_from_magic(fight: Fight, held: Held, name: str, against: frozenset[str]) -> Steps[bool]:
    """Let every save against magic succeed."""
    if not MAGIC & against:
        return False
    cites = fight.rules(held.feature.topic)
    yield RuleApplied(who=held.holder.id, what="is not affected by magic", cites=cites)
    return True


def missed_by_magic(fight: Fight, held: Held, strike: Strike) -> bool:
    """Return whether an attack is one of a spell, which misses."""
    return strike.spell


def resist_legendarily(fight: Fight, held: Held, name: str, against: frozenset[str]) -> Steps[bool]:
    """Ask whether a failed save becomes a success, a limited number of times a day."""
    owner, rule = held.holder, fight.rule(held.feature.topic)
    left = held.number - owner.resources.get(monster.RESISTANCE, 0)
    if left <= 0:
        return False
    question = f"{owner.id} fails a save: does it succeed instead ({left} uses left)?"
    if (yield Choice(owner.id, "legendary-resistance", question, ("use", "decline"), rule)) == "decline":
        return False
    yield ResourceSpent(who=owner.id, resource=monster.RESISTANCE, amount=1, cites=(rule,))
    return True


def is_in_sunlight(fight: Fight, one: Combatant) -> bool:
    """Return whether a combatant is in sunlight."""
    return any(is_ground(fight, at, "monster.trait-sunlight-sensitivity", "ground") for at in squares_of(one))


def in_sunlight(fight: Fight, held: Held, *about: object) -> Iterator[Modifier]:
    """Yield Disadvantage while the holder is in sunlight."""
    if is_in_sunlight(fight, held.holder):
        yield test.source(fight, held.feature.topic, "attacks", held.name)


def in_bright_light(fight: Fight, held: Held, *about: object) -> Iterator[Modifier]:
    """Yield Disadvantage while the holder is in Bright Light."""
    if any(light_at(fight, at) == BRIGHT for at in squares_of(held.holder)):
        yield test.source(fight, held.feature.topic, "attacks", held.name)


def blurred(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield Disadvantage on attacks against the holder unless it is Incapacitated."""
    if not incapacitating(held.holder):
        yield Modifier(0, test.DISADVANTAGE, held.name, fight.rule(held.feature.topic))


def evades(fight: Fight, held: Held, name: str) -> bool:
    """Return whether the holder takes half or none of damage that a Dexterity save halves."""
    return name == "dex" and not incapacitating(held.holder)


def parry(fight: Fight, held: Held, strike: Strike, total: int, needed: int) -> Steps[Parts]:
    """Ask whether the holder adds to its Armor Class against a melee attack that this would make miss."""
    one, rule = held.holder, fight.rule(held.feature.topic)
    if not strike.melee or not can_react(fight, one) or total >= needed + held.number:
        return ()
    question = f"{strike.attacker.id} would hit {one.id}: does it parry?"
    if (yield Choice(one.id, "parry", question, ("parry", "decline"), rule)) == "decline":
        return ()
    cites = (rule, *fight.rules("turns.reaction"))
    yield ReactionSpent(who=one.id, kind="parry", against=strike.attacker.id, opportunity="", cites=cites)
    return (Modifier(held.number, "untyped", "parry", rule),)


# --- Hit points


def regenerate(fight: Fight, held: Held) -> Steps[None]:
    """Regain hit points at the start of the turn, with at least 1 left."""
    one, topic = held.holder, held.feature.topic
    least = int(str(fight.figure(topic, "requires")).rpartition(" ")[2])
    if one.hp >= least:
        yield from damage.heal(fight, one, held.number, held.name, topic)


SUPPRESSED: Final = "regeneration suppressed"
"""The counter of a combatant whose regeneration fails in its next turn."""


def regenerate_like_troll(fight: Fight, held: Held) -> Steps[None]:
    """Regain hit points even at 0, but not after Acid or Fire damage; without them at 0 the holder dies."""
    one, topic = held.holder, held.feature.topic
    rule = fight.rule(topic)
    if one.counters.get(SUPPRESSED):
        yield CounterChanged(who=one.id, counter=SUPPRESSED, value=0, cites=(rule,))
        if one.hp == 0 and "dead" not in one.conditions:
            yield from die(fight, one, "it does not regenerate", rule)
        return
    yield from damage.heal(fight, one, held.number, held.name, topic)


def suppress(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Keep the holder from regenerating in its next turn."""
    kinds = fight.figure(held.feature.topic, "suppressed_by")
    if not frozenset(kinds).isdisjoint(blow.kinds):
        cites = fight.rules(held.feature.topic)
        yield CounterChanged(who=held.holder.id, counter=SUPPRESSED, value=1, cites=cites)


def stays(fight: Fight, held: Held) -> bool:
    """Return that the holder does not die at 0 hit points."""
    return True


def undead_fortitude(fight: Fight, held: Held, blow: Blow, surplus: int) -> Steps[int]:
    """Let the holder keep 1 hit point by a save, unless the damage is Radiant or critical."""
    one, topic = held.holder, held.feature.topic
    radiant = str(fight.figure(topic, "not", 0))
    kinds = list(blow.kinds)
    every = fight.option("fortitude_mixed") == "denied-if-all-radiant"
    denied = kinds == [radiant] if every else radiant in kinds
    if blow.critical or denied:
        return 0
    number = int(str(fight.figure(topic, "dc")).partition(" ")[0]) + one.hp + surplus
    cites = fight.rules(topic)
    saved = yield from test.save(fight, one, "con", number, why=held.name, cites=cites)
    return int(fight.figure(topic, "hp")) if saved else 0


LOST: Final = "heads lost"
"""The counter of the heads that have died since the last turn."""
SEARED: Final = "seared"
"""The counter of a creature that has taken Fire damage since its last turn."""


def behead(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Let a head die that enough damage of one turn kills; without heads the holder dies."""
    one, topic = held.holder, held.feature.topic
    least, rule = fight.figure(topic, "damage"), fight.rule(topic)
    before, counters = one.counters.get(monster.HURT, 0), one.counters
    changes = {monster.HURT: before + amount}
    if fight.figure(topic, "unless") in blow.kinds:
        changes[SEARED] = 1
    if before < least <= before + amount:
        changes[LOST] = counters.get(LOST, 0) + 1
        changes[HEADS] = counters.get(HEADS, held.number) - 1
    for name, value in changes.items():
        yield CounterChanged(who=one.id, counter=name, value=value, cites=(rule,))
    if changes.get(HEADS) == 0:
        yield from die(fight, one, "its last head is dead", rule)


def reactive_heads(fight: Fight, held: Held) -> int:
    """Return the Reactions for Opportunity Attacks that the heads beyond the first give."""
    one, each = held.holder, fight.figure(held.feature.topic, "reactions_beyond_one")
    heads = one.counters.get(HEADS) or sum(map(int, details_of("multiple heads", one.sheet.traits)))
    return max(0, heads - 1) * int(each)


def grow_heads(fight: Fight, held: Held) -> Steps[None]:
    """Grow heads for those that have died since the last turn, and regain hit points, unless seared."""
    one, topic = held.holder, held.feature.topic
    cites, lost = fight.rules(topic), one.counters.get(LOST, 0)
    if lost and not one.counters.get(SEARED) and "dead" not in one.conditions:
        heads = one.counters[HEADS] + lost * fight.figure(topic, "grows")
        yield CounterChanged(who=one.id, counter=HEADS, value=heads, cites=cites)
        yield from damage.heal(fight, one, fight.figure(topic, "heals"), held.name, topic)
    for name in (LOST, SEARED):
        if one.counters.get(name):
            yield CounterChanged(who=one.id, counter=name, value=0, cites=cites)


def absorber(kind: str) -> Feature:
    """Return the feature of a creature that damage of a type heals."""

    def absorb(fight: Fight, held: Held, blow: Blow, sums: Mapping[str, int]) -> Steps[Mapping[str, int]]:
        amount = sums.get(kind, 0)
        if not amount:
            return sums
        yield from damage.heal(fight, held.holder, amount, held.name, held.feature.topic)
        return {**sums, kind: 0}

    return Feature(topic="monster.trait-absorption", before_damage=absorb)


def reacts_to(kind: str, stat: str, value: int, word: str, topic: str) -> Feature:
    """Return the feature of a creature that damage of a type hampers until the end of its next turn."""

    def suffer(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
        one, rule = held.holder, fight.rule(topic)
        if kind not in blow.kinds:
            return
        until = Until("turn-end", one.id, fight.state.round + (not monster.is_to_come(fight, one)))
        part = Modifier(value, word, held.name, rule)
        yield EffectGained(
            who=one.id, id=f"{held.name}:{stat}", stat=stat, modifier=part, until=until, cites=(rule,)
        )

    return Feature(topic=topic, after_damage=suffer)


def corrode(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Spoil a weapon that has hit the holder: -1 to its attacks each time, until it breaks."""
    attacker, topic = fight.state.combatants.get(blow.attacker), held.feature.topic
    weapon = None
    if attacker is not None and blow.attack:
        weapon = next((one for one in attacker.sheet.weapons if one.name == blow.source), None)
    if attacker is None or weapon is None or weapon.wield in ("natural", "unarmed"):
        return
    rule = fight.rule(topic)
    if "magic" in weapon.traits or weapon.ammunition is not None:
        return
    stat = f"attack with {weapon.name}"
    so_far = sum(one.modifier.value for one in attacker.effects if one.stat == stat)
    part = Modifier(int(fight.figure(topic, "penalty")), "untyped", held.name, rule)
    number = len([one for one in attacker.effects if one.stat == stat]) + 1
    yield EffectGained(
        who=attacker.id, id=f"{stat}:{number}", stat=stat, modifier=part, until=Until(), cites=(rule,)
    )
    if so_far + part.value <= fight.figure(topic, "breaks_at"):
        yield ItemChanged(who=attacker.id, item=weapon.name, state="broken", cites=(rule,))


def corrode_touch(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Hurt an attacker that hits the holder in melee, and spoil its weapon."""
    attacker = fight.state.combatants.get(blow.attacker)
    if attacker is not None and blow.attack and within(attacker, held.holder, SQUARE_FT):
        acid = fight.figure(held.feature.topic, "touch")
        yield from monster.hurt(fight, held.holder, held.name, attacker, ((acid, "acid"),))
    yield from corrode(fight, held, blow, amount)


def adhere(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Hold an attacker up to Huge that hits the holder with its body."""
    attacker, topic = fight.state.combatants.get(blow.attacker), held.feature.topic
    if attacker is None or not blow.attack or size_of(attacker) > SIZES.index("huge"):
        return
    natural = [one.name for one in attacker.sheet.weapons if one.wield in ("natural", "unarmed")]
    if blow.source in (*natural, "unarmed strike") and within(attacker, held.holder, SQUARE_FT):
        number = int(fight.figure(topic, "escape_dc"))
        action = Action(name=held.name, conditions=("grappled",), escape=number)
        if "grappled" not in attacker.conditions:
            yield from gain(fight, attacker, "grappled", held.holder.id)
            part = Modifier(number, test.DISADVANTAGE, action.name, fight.rule(topic))
            yield EffectGained(
                who=attacker.id,
                id=f"{action.name}:{held.holder.id}",
                stat=ESCAPE,
                modifier=part,
                until=Until(),
                against=held.holder.id,
                cites=fight.rules(topic),
            )


ESCAPE: Final = "escape"
"""The stat of the effect of a grip with a printed escape DC."""

# --- Movement


def flies_by(fight: Fight, held: Held, how: str) -> bool:
    """Return whether leaving the reach of enemies provokes them: not in flight."""
    return how != "fly"


def never_provokes(fight: Fight, held: Held, how: str) -> bool:
    """Return that leaving the reach of enemies does not provoke them."""
    return False


def inside_object(fight: Fight, held: Held) -> Steps[None]:
    """Hurt a holder that ends its turn inside an object."""
    one, topic = held.holder, held.feature.topic
    if fight.field.walls.intersection(space(one.at, one.space)):
        notation, kind = str(fight.figure(topic, "damage")).split()
        dice = [Dice(notation, kind, held.name)]
        yield from damage.deal(fight, one, Blow("", held.name), dice, cites=fight.rules(topic))


def feels_web(fight: Fight, held: Held, other: Combatant) -> bool:
    """Return whether another touches the same web as the holder."""
    webs = [one for one in fight.state.ground if one.what in held.feature.unhindered]
    return any(all(position.lies_in(at, web) for at in (held.holder.at, other.at)) for web in webs)


def swarm_factors(fight: Fight, held: Held, kind: str) -> Iterable[str]:
    """Return Resistance where the sheet of a swarm has it, by the rule on swarms."""
    listed = fight.figure("monster.trait-swarm-defenses", "resistance")
    return ("resistance",) if kind in listed and kind in fields_of(fight, held.holder).resistances else ()


def shines(fight: Fight, held: Held) -> tuple[int, int]:
    """Return the Bright Light that the holder sheds, and as much Dim Light beyond, in feet."""
    return held.number, held.number


# --- Hits


def hit_action(fight: Fight, held: Held, strike: Strike) -> Action | None:
    """Return what the stat block says about a hit with the weapon of an attack."""
    found = actions_of(fight, held.holder).get(strike.weapon.name)
    return found if found is not None and found.kind == "attack" else None


def edge_of_attack(fight: Fight, held: Held, strike: Strike) -> Iterator[Modifier]:
    """Yield the Advantage that the entry of an attack gives."""
    action = hit_action(fight, held, strike)
    if action is None or not action.edge:
        return
    grapple = strike.target.conditions.get("grappled")
    applies = {
        "grappled": grapple is not None and grapple.source == held.holder.id,
        "wounded": strike.target.hp < strike.target.max_hp,
        "first round": fight.state.round == 1,
    }
    if applies.get(action.edge):
        rule = fight.rule("monster.attack-notation")
        yield Modifier(0, test.ADVANTAGE, f"{strike.weapon.name}: {action.edge}", rule)


RUN: Final = "run "
"""The beginning of the counters of a turn for feet straight in one direction: "run 1,0"."""


def note_run(fight: Fight, fact: Moved) -> Steps[None]:
    """Count how far a combatant has just gone straight on, if some attack of it depends on that."""
    one = fight.combatant(fact.who)
    if not fact.feet or fight.state.active != one.id:
        return
    if not any(action.charge for action in actions_of(fight, one).values()):
        return
    steps, here = [], fact.start
    for there in fact.path:
        steps.append((there[0] - here[0], there[1] - here[1]))
        here = there
    last = steps[-1] if steps else (0, 0)
    tail = 0
    for step in reversed(steps):
        if step != last:
            break
        tail += SQUARE_FT
    name, cites = f"{RUN}{last[0]},{last[1]}", fight.rules("monster.trait-charge")
    for other, feet in one.spent.items():
        broken = other != name or tail < SQUARE_FT * len(steps)
        if other.startswith(RUN) and feet and broken:
            yield ActionSpent(who=one.id, kind=other, what="turns", amount=-feet, cites=cites)
    if tail:
        yield ActionSpent(who=one.id, kind=name, what="runs straight", amount=tail, cites=cites)


def feet_run_at(fight: Fight, one: Combatant, target: Combatant) -> int:
    """Return how many feet a combatant has just gone straight toward a target."""
    for name, feet in one.spent.items():
        if name.startswith(RUN) and feet > 0:
            dx, dy = map(int, name.removeprefix(RUN).split(","))
            steps = feet // SQUARE_FT
            start = one.at[0] - dx * steps, one.at[1] - dy * steps
            if distance(one, target, start) - distance(one, target) == feet:
                return feet
    return 0


def end_run(fight: Fight, held: Held, strike: Strike) -> Steps[None]:
    """Forget a run after an attack: a charge is immediately before the hit."""
    for name, feet in list(held.holder.spent.items()):
        if name.startswith(RUN) and feet:
            cites = fight.rules("monster.trait-charge")
            yield ActionSpent(who=held.holder.id, kind=name, what="attacks", amount=-feet, cites=cites)


def other_dice(fight: Fight, held: Held, strike: Strike, dice: Dice) -> Steps[Dice]:
    """Return the dice of an attack that its entry names for what is the case now."""
    action = hit_action(fight, held, strike)
    if action is None:
        return dice
    grapple = strike.target.conditions.get("grappled")
    for harm, applies, topic in (
        (action.weak_dice, damage.is_bloodied(fight, held.holder), "monster.trait-swarm-bloodied"),
        (action.edge_dice, strike.edge == test.ADVANTAGE, "monster.hit-miss-notation"),
        (action.hurt_dice, damage.is_bloodied(fight, strike.target), "monster.hit-miss-notation"),
        (
            action.held_dice,
            grapple is not None and grapple.source == held.holder.id,
            "monster.hit-miss-notation",
        ),
        (
            action.charge_dice,
            bool(action.charge) and feet_run_at(fight, held.holder, strike.target) >= action.charge,
            "monster.trait-charge",
        ),
    ):
        if harm and applies:
            what = f"{strike.weapon.name}: {harm[0][0]} {harm[0][1]}"
            yield RuleApplied(who=held.holder.id, what=what, cites=fight.rules(topic))
            return Dice(harm[0][0], harm[0][1], dice.source)
    return dice


def more_dice(fight: Fight, held: Held, strike: Strike, critical: bool) -> Steps[list[Dice]]:
    """Return the extra dice of a hit, and note a hit on the Bloodied for Rampage."""
    owner, target = held.holder, strike.target
    rampage = [one for one in actions_of(fight, owner).values() if one.requires == MAULED]
    if rampage and damage.is_bloodied(fight, target) and not owner.spent.get(MAULED):
        cites = fight.rules("monster.trait-rampage")
        yield ActionSpent(who=owner.id, kind=MAULED, what=f"hits {target.id}", cites=cites)
    action = hit_action(fight, held, strike)
    if action is None:
        return []
    harm = action.extra if holds(fight, owner, action, target) else ()
    if strike.edge == test.ADVANTAGE:
        harm = (*harm, *action.edge_extra)
    if action.charge and harm and action.extra:
        cites = fight.rules("monster.trait-charge")
        yield RuleApplied(who=owner.id, what=f"charges {target.id}", cites=cites)
    return [Dice(notation, kind, action.name) for notation, kind in harm]


MAULED: Final = "mauled"
"""The counter of a turn for hits on the Bloodied."""


def holds(fight: Fight, owner: Combatant, action: Action, target: Combatant) -> bool:
    """Return whether what an entry says about a hit concerns this target, after such a run."""
    if action.charge and feet_run_at(fight, owner, target) < action.charge:
        return False
    return not monster.why_excluded(fight, owner, action, target)


def after_hit(fight: Fight, held: Held, strike: Strike, hit: bool) -> Steps[None]:
    """Apply the further effects of a hit, with a save first if the entry has one."""
    owner, target, action = held.holder, strike.target, hit_action(fight, held, strike)
    concerned = hit and action is not None and "dead" not in target.conditions
    if action is not None and concerned and holds(fight, owner, action, target):
        if action.save:
            yield from monster.affect(fight, owner, action, [target])
        else:
            yield from monster.impose(fight, owner, action, target, strike.dealt)
        if action.follows and "dead" not in target.conditions:
            yield from end_run(fight, held, strike)
            yield from monster.strike_again(fight, owner, target, action.follows)
    yield from end_run(fight, held, strike)


# --- The tables

ROCK: Final = frozenset({"rock"})
"""Ground that some creatures dig through, or flow through the gaps of."""


def trait(topic: str, **moments: object) -> Feature:
    """Return a trait with the rule of that name."""
    return Feature(topic=f"monster.trait-{topic}", **moments)  # type: ignore[arg-type]


HITTING: Final = replace(
    monster.ACTING,
    on_attack=edge_of_attack,
    weapon_dice=other_dice,
    on_hit=more_dice,
    after_attack=after_hit,
)
"""The feature of all creatures with printed actions."""

ICE: Final = "environment.slippery-ice"
"""The topic of the rule on icy ground."""

TRAITS: Final[dict[str, Feature]] = {
    "stat action": monster.UNDER,
    "stat dazed": Feature(
        topic="monster.save-notation", reacts=monster.may_react, budget=monster.budget_of_dazed
    ),
    "printed actions": HITTING,
    "pack tactics": trait("pack-tactics", on_attack=pack_tactics),
    "magic resistance": trait("magic-resistance", on_save=against_magic),
    "greater magic resistance": trait(
        "greater-magic-resistance", after_failed_save=saved_from_magic, escapes=missed_by_magic
    ),
    "legendary resistance": Feature(
        topic="monster.legendary-resistance", after_failed_save=resist_legendarily
    ),
    "regeneration": trait("regeneration", turn_start=regenerate),
    "troll regeneration": trait(
        "regeneration-troll", turn_start=regenerate_like_troll, after_damage=suppress, stays=stays
    ),
    "undead fortitude": trait("undead-fortitude", at_zero=undead_fortitude),
    "multiple heads": trait("hydra-heads", after_damage=behead, turn_end=grow_heads),
    "reactive heads": trait("hydra-heads", more_opportunities=reactive_heads),
    "immutable form": trait("immutable-form", immune=frozenset({SHIFTED})),
    "spider climb": trait("spider-climb", sure=frozenset({"climb"})),
    "web walker": trait("web-walker", unhindered=frozenset({"webs"}), knows=feels_web),
    "ice walk": Feature(topic=ICE, unhindered=frozenset({"ice", "snow", "slippery ice"})),
    "amorphous": trait("amorphous", enters=frozenset({"gaps"}), unhindered=ROCK),
    "tunneler": Feature(topic="movement.burrow-speed", enters=ROCK),
    "earth glide": Feature(topic="movement.burrow-speed", enters=ROCK, unhindered=ROCK),
    "sunlight sensitivity": trait("sunlight-sensitivity", on_attack=in_sunlight, on_check=in_sunlight),
    "sunlight weakness": trait(
        "sunlight-sensitivity", on_attack=in_sunlight, on_check=in_sunlight, on_save=in_sunlight
    ),
    "light sensitivity": trait("sunlight-sensitivity", on_attack=in_bright_light),
    "incorporeal movement": trait(
        "incorporeal-movement", enters=frozenset({"creatures", "objects"}), turn_end=inside_object
    ),
    "flyby": trait("flyby", provokes=flies_by),
    "agile": trait("flyby", provokes=never_provokes),
    "swarm": trait(
        "swarm-defenses",
        enters=frozenset({"creatures", "stays", "tiny gaps"}),
        unhindered=ROCK,
        no_healing=True,
        factors=swarm_factors,
    ),
    "air form": trait("swarm-space", enters=frozenset({"creatures", "stays", "gaps"}), unhindered=ROCK),
    "water form": trait("swarm-space", enters=frozenset({"creatures", "stays", "gaps"}), unhindered=ROCK),
    "amphibious": trait("amphibious", breathes=frozenset({"air", "water"})),
    "water breathing": trait("amphibious", breathes=frozenset({"water"})),
    "nimble escape": trait("nimble-escape", as_bonus=frozenset({"disengage", "hide"})),
    # Class features have this name too.
    "cunning action of a monster": Feature(
        topic="monster.bonus-reactions", as_bonus=frozenset({"dash", "disengage", "hide"})
    ),
    "deathless agility": Feature(topic="monster.bonus-reactions", as_bonus=frozenset({"dash", "disengage"})),
    "blood frenzy": trait("blood-frenzy", on_attack=blood_frenzy),
    "bloodied fury": trait("bloodied-fury", on_attack=while_bloodied),
    "bloodied frenzy": trait("bloodied-fury", on_attack=while_bloodied, on_save=while_bloodied),
    "siege monster": trait("siege-monster", on_objects="factor"),
    "acid absorption": absorber("acid"),
    "fire absorption": absorber("fire"),
    "lightning absorption": absorber("lightning"),
    "corrosive form": trait("corrosive-form", after_damage=corrode_touch),
    "adhesive": trait("adhesive", after_damage=adhere),
    "evasion": trait("evasion", evades=evades),
    "illumination": Feature(topic="monster.stat-block", sheds=shines),
    "hold breath": Feature(topic="monster.stat-block"),
    "blurred form": Feature(topic="monster.stat-block", on_attacked=blurred),
    "parry": Feature(topic="monster.bonus-reactions", before_hit=parry),
    "aversion to fire": reacts_to("fire", "attack", 0, test.DISADVANTAGE, "monster.stat-block"),
    "freeze": reacts_to("cold", "speed", -20, "untyped", "monster.stat-block"),
}
"""The traits of monsters by the words by which a sheet names them."""
