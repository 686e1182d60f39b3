"""What those who grapple can do: strike, hurt, pin, get free, move (srd35.grapple.*)."""

from affray.engine.dialects.srd35.grapple.grapple_state import (
    grabbing_weapon,
    grapple_check,
    stowed_weapon,
)
from affray.engine.dialects.srd35.grapple.swallow_whole import cut_out, refuse_inside, refuse_swallow
from affray.engine.dialects.srd35.grapple.way_of_escape import refuse_way_out
from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.line import can_be_put
from affray.engine.record.maneuvers import Contest, Side
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.rules.attacks.weapon_blow import build_blow, strike_and_settle
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.gear.held_weapons import SPIKES, held_weapons
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.grapple.constrict import constrict
from affray.engine.rules.grapple.holds import (
    end_grapple,
    free_of_pin,
    is_pinning,
    opponents,
    pins_an_opponent,
)
from affray.engine.rules.grapple.rake import refuse_rake
from affray.engine.rules.grapple.way_out import step_out
from affray.engine.rules.magic.components import COMPONENTS
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.movement.displaced import displaced, moved
from affray.engine.rules.movement.movement import speed
from affray.engine.rules.movement.noticed import noticed
from affray.engine.rules.movement.unseen import met_at_end, run_into
from affray.engine.rules.position.occupants import occupants
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: What is done with an item or weapon, which the declaration names.
WITH_AN_ITEM = ("attack", "use-weapon", "draw", "activate", "component")
IN_PLACE_OF_AN_ATTACK = ("attack", "damage", "pin", "escape", "break-pin", "use-weapon")
#: What a pinner may not do, and what the pinned still may.
NOT_WHILE_PINNING = ("attack", "pin", "escape", "break-pin", "draw", "component")
IN_CLOSE = ("unarmed", "natural", "light")


def option_action(fight: Fight, act: acts.Grapple) -> str:
    """Return the action that an option takes: a standard one (an attack) but for drawing and releasing."""
    if act.what == "draw":
        return str(fight.figure("srd35.grapple.draw-light-weapon", "action"))
    if act.what == "release":
        return str(fight.figure("srd35.grapple.pinning-release", "action"))
    if act.what == "component":
        return str(fight.figure("srd35.grapple.retrieve-component", "action"))
    if act.what == "rake":
        return "free"
    return "standard"


def refuse_option(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> None:
    """Refuse an option that is not open: not grappling the target, pinned, pinning, or out of means."""
    if target not in opponents(fight, grappler):
        raise Refusal(f"{grappler.id} does not grapple {target.id}", fight.rule("srd35.grapple.actions"))
    if "pinned" in grappler.conditions and act.what != "escape":
        raise Refusal(
            f"{grappler.id} is pinned and can only escape", fight.rule("srd35.grapple.pinned-state")
        )
    if act.what in NOT_WHILE_PINNING and pins_an_opponent(fight, grappler):
        reason = f"{grappler.id} is pinning an opponent, which rules out {act.what!r}"
        raise Refusal(reason, fight.rule("srd35.grapple.pinning-forbidden"))
    if act.what == "release" and not (is_pinning(grappler, target) or is_helpless(fight, target)):
        reason = f"{grappler.id} has not pinned {target.id}"
        raise Refusal(reason, fight.rule("srd35.grapple.pinning-release"))
    if act.what == "attack":
        refuse_inside(fight, grappler, close_weapon(fight, grappler, act.weapon))
    if act.what == "use-weapon":
        their_weapon(fight, target, act.weapon)
    if act.what == "break-pin" and not pins_an_opponent(fight, target):
        raise Refusal(f"{target.id} pins nobody", fight.rule("srd35.grapple.break-pin"))
    if act.what == "draw":
        stowed_weapon(fight, grappler, act.weapon)
    if act.what == "move":
        refuse_grapple_move(fight, grappler, act)
    if act.what == "escape":
        refuse_way_out(fight, grappler, opponents(fight, grappler), act)
    if act.what == "activate" and act.completion:
        reason = f"the {act.weapon} needs a spell to be completed"
        raise Refusal(reason, fight.rule("srd35.grapple.magic-item"))
    if act.what == "rake":
        refuse_rake(fight, grappler)
    if act.what == "swallow":
        refuse_swallow(fight, grappler, target)


def close_weapon(fight: Fight, combatant: Combatant, name: str) -> Weapon:
    """Return the weapon to strike with in a grapple. Refuses all but unarmed, natural and light ones."""
    weapon = find_weapon(fight, combatant, name, lambda one: one.wield in IN_CLOSE) if name else None
    if weapon is None:
        ready = (one for one in held_weapons(combatant) if one.wield in IN_CLOSE)
        weapon = next(ready, None) or unarmed(fight, combatant)
    if weapon.wield not in IN_CLOSE:
        raise Refusal(f"the {weapon.name} is too big for a grapple", fight.rule("srd35.grapple.attack"))
    return weapon


def their_weapon(fight: Fight, target: Combatant, name: str) -> Weapon:
    """Return a light weapon that the opponent holds. Refuses when there is none."""
    for weapon in held_weapons(target):
        if weapon.wield == "light" and name in ("", weapon.name):
            return weapon
    reason = f"{target.id} holds no light weapon{name and f' {name!r}'}"
    raise Refusal(reason, fight.rule("srd35.grapple.use-opponent-weapon"))


def refuse_grapple_move(fight: Fight, grappler: Combatant, act: acts.Grapple) -> None:
    """Refuse a way that is longer than half the speed, broken, or leads into an occupied space."""
    rule, part = fight.rule("srd35.grapple.move"), fight.figure("srd35.grapple.move", "speed_multiplier")
    feet = int(speed(fight, grappler) * part)
    if not act.path:
        raise Refusal("no path to move the grapple along is named", rule)
    if len(act.path) * SQUARE_FT > feet:
        raise Refusal(f"{grappler.id} can move the grapple {feet} ft. at most", rule)
    here, together = grappler.at, [grappler, *opponents(fight, grappler)]
    for there in act.path:
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads to {there[0]},{there[1]}", rule)
        ways = [(carried(grappler, one, here), one.space, carried(grappler, one, there)) for one in together]
        if not all(can_be_put(fight.field, *way, way[1]) for way in ways):
            raise Refusal(f"there is no way to {there[0]},{there[1]}", rule)
        here = there
    for other in noticed(fight, grappler, in_way_of_grapple(fight, grappler, here)):
        raise Refusal(f"{other.id} stands in the way", rule)


def in_way_of_grapple(fight: Fight, grappler: Combatant, to: Square) -> list[Combatant]:
    """Return who stands where those in a grapple would come to stand as a grappler moves it to a square."""
    together = [grappler, *opponents(fight, grappler)]
    met = [other for one in together for other in occupants(fight, one, carried(grappler, one, to))]
    return [other for other in met if other not in together]


def carried(grappler: Combatant, one: Combatant, to: Square) -> Square:
    """Return where one of those in a grapple comes to stand as a grappler moves it to a square."""
    return one.at[0] + to[0] - grappler.at[0], one.at[1] + to[1] - grappler.at[1]


def oppose_grapple_checks(
    fight: Fight, grappler: Combatant, target: Combatant, topic: str, *extra: Modifier
) -> Steps[Contest]:
    """Oppose grapple checks with one opponent of one's choice (srd35.grapple.multiple-choose)."""
    several = fight.rules("srd35.grapple.multiple-choose") if len(opponents(fight, grappler)) > 1 else ()
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, grappler, target, *extra),
        grapple_check(fight, target, grappler),
        fight.rule(topic),
        fight.rule("srd35.grapple.check"),
        *several,
        holding=True,
    )
    yield from constrict(fight, grappler, target, contest.won)
    return contest


def beats_all(
    fight: Fight, grappler: Combatant, others: list[Combatant], mine: Side, name: str, *cites: str
) -> Steps[bool]:
    """Compare one check with those of all opponents; return whether it beats each."""
    rolled = yield Roll(grappler.id, name)
    for other in others:
        contest = yield from beats_opposed(
            fight, name, mine, grapple_check(fight, other, grappler), *cites, holding=True, rolled=rolled
        )
        if not contest.won:
            return False
    return True


def attack_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, weapon: Weapon, *extra: Modifier
) -> Steps[bool]:
    """Strike an opponent in the grapple with something small, at -4 (srd35.grapple.attack)."""
    blow = build_blow(fight, grappler, target, weapon, "grapple")
    penalty = fight.modifier("srd35.grapple.attack", "attack", kind="penalty", source="in a grapple")
    blow.attack_extra += [*extra, penalty]
    before = target.hp
    hit = yield from strike_and_settle(fight, blow)
    if "swallowed" in grappler.conditions:
        yield from cut_out(fight, grappler, target, before)
    return hit


def damage_in_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, lethal: bool, *extra: Modifier
) -> Steps[bool]:
    """Win a check to hurt as with an unarmed strike; lethally at -4, which monks do of themselves."""
    monk = has_trait(grappler, "monk") or "monk" in grappler.sheet.classes
    cites = []
    weapon, topic = grabbing_weapon(grappler), "improved-grab"
    if weapon is None:
        weapon, topic = (
            next((one for one in grappler.sheet.weapons if one.table == SPIKES), None),
            "srd35.weapons.armor-spikes",
        )
    if weapon is not None:
        cites.append(fight.rule(topic))
        lethal = True
        if topic != "improved-grab" and not weapon.proficient:
            extra = (
                *extra,
                fight.modifier(topic, "nonproficient_grapple", kind="penalty", source="armor spikes"),
            )
    elif monk:
        cites.append(fight.rule("srd35.grapple.damage-monk"))
    elif lethal:
        penalty = fight.modifier(
            "srd35.grapple.damage-lethal", "grapple_check", kind="penalty", source="lethal"
        )
        extra = (*extra, penalty)
        cites.append(penalty.rule)
    cites += rules_of_pinner(fight, grappler, target)
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.damage", *extra)
    if not contest.won:
        return False
    if cites:
        yield RuleApplied(who=grappler.id, what="hurts in the grapple", cites=tuple(cites))
    means = weapon or unarmed(fight, grappler)
    blow = build_blow(fight, grappler, target, means, "grapple", nonlethal=not lethal)
    yield from fight.dialect.damage.deal(fight, blow, False)
    return True


def pin(fight: Fight, grappler: Combatant, target: Combatant, *extra: Modifier) -> Steps[bool]:
    """Win a check to hold an opponent immobile until the end of one's next turn, silent if one likes."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.pin", *extra)
    if not contest.won:
        return False
    rounds = fight.figure("srd35.grapple.pin", "duration_rounds")
    until = Until("turn-end", grappler.id, fight.state.round + rounds)
    cites = fight.rules("srd35.grapple.pin", "srd35.grapple.pinned-state")
    pinned = (*cites, fight.rule("srd35.cond.pinned"))
    yield ConditionGained(who=target.id, condition="pinned", source=grappler.id, until=until, cites=pinned)
    rule = fight.rule("srd35.grapple.pinning-silence")
    question = f"does {grappler.id} let {target.id} speak?"
    if (yield Choice(grappler.id, "silence", question, ("speak", "silence"), rule)) == "silence":
        cites = (rule, fight.rule("srd35.grapple.pinned-silence"))
        yield ConditionGained(
            who=target.id, condition="silenced", source=grappler.id, until=until, cites=cites
        )
    return True


def escape_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple, *extra: Modifier
) -> Steps[bool]:
    """Beat all who hold on, by a grapple check or Escape Artist; the pinned leave the pin only.

    The helpless hold nobody (srd35.helpless.definition).
    """
    pinned = "pinned" in grappler.conditions
    topic = "srd35.grapple.pinned-escape" if pinned else "srd35.grapple.escape"
    cites = [fight.rule(topic), fight.rule("srd35.grapple.check")]
    mine = grapple_check(fight, grappler, target, *extra)
    if act.skill:
        rule = fight.rule("srd35.grapple.escape-artist")
        parts = skill_parts(fight, grappler, "escape artist", "dex", rule)
        mine = side_of(fight, grappler, "escape artist", parts)
        cites = [fight.rule(topic), rule, fight.rule("srd35.skill.escape-artist-table")]
    holders = opponents(fight, grappler)
    if pinned:
        holders = [one for one in holders if is_pinning(one, grappler)]
    elif len(holders) > 1:
        cites.append(fight.rule("srd35.grapple.escape-multiple"))
    holding = []
    for one in holders:
        if is_helpless(fight, one):
            cites.append(fight.rule("srd35.helpless.definition"))
            continue
        question = f"{grappler.id} tries to escape: does {one.id} hold on?"
        rule = fight.rule("srd35.grapple.escape-multiple")
        if (yield Choice(one.id, "hold", question, ("hold", "let go"), rule)) == "hold":
            holding.append(one)
    if holding and not (yield from beats_all(fight, grappler, holding, mine, "escape", *cites)):
        return False
    if pinned:
        yield from free_of_pin(grappler, "escapes", *cites)
        return True
    if "swallowed" in grappler.conditions:
        up = fight.rules("srd35.swallow-whole")
        yield ConditionLost(who=grappler.id, condition="swallowed", why="back into the mouth", cites=up)
        return True
    for one in holders:
        yield from end_grapple(fight, grappler, one, "escapes", *cites)
    yield from step_out(fight, grappler, holders, act.path)
    return True


def retrieve_in_grapple(fight: Fight, grappler: Combatant, act: acts.Grapple) -> Steps[bool]:
    """Activate a magic item, or take a component in hand out of its pouch: neither takes a check.

    srd35.grapple.magic-item, srd35.grapple.retrieve-component.
    """
    activates = act.what == "activate"
    topic = "srd35.grapple.magic-item" if activates else "srd35.grapple.retrieve-component"
    what = (
        f"activates the {act.weapon or 'item'}"
        if activates
        else f"has the {act.weapon or 'component'} in hand"
    )
    yield RuleApplied(who=grappler.id, what=what, cites=fight.rules(topic))
    if not activates:
        item = act.weapon or COMPONENTS
        yield ItemChanged(who=grappler.id, item=item, state="held", cites=fight.rules(topic))
    return True


def break_pin(fight: Fight, grappler: Combatant, target: Combatant, *extra: Modifier) -> Steps[bool]:
    """Win a check to break the hold that an opponent has on another combatant (srd35.grapple.break-pin)."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.break-pin", *extra)
    if contest.won:
        for other in opponents(fight, target):
            if is_pinning(target, other):
                yield from free_of_pin(other, "the hold is broken", fight.rule("srd35.grapple.break-pin"))
    return contest.won


def rules_of_pinner(fight: Fight, grappler: Combatant, target: Combatant) -> tuple[str, ...]:
    """Return the rule by which a pinner may hurt, strike with the weapon of or move whom it has pinned."""
    return fight.rules("srd35.grapple.pinning-options") if is_pinning(grappler, target) else ()


def use_weapon(
    fight: Fight, grappler: Combatant, target: Combatant, name: str, *extra: Modifier
) -> Steps[bool]:
    """Win a check to turn the opponent's light weapon on it, at -4; it stays in its hand."""
    contest = yield from oppose_grapple_checks(
        fight, grappler, target, "srd35.grapple.use-opponent-weapon", *extra
    )
    if not contest.won:
        return False
    topic = "srd35.grapple.use-opponent-weapon"
    blow = build_blow(fight, grappler, target, their_weapon(fight, target, name), "grapple")
    penalty = fight.modifier(topic, "attack", kind="penalty", source="the opponent's weapon")
    blow.attack_extra += [*extra, penalty]
    blow.cites += fight.rules(topic, "srd35.grapple.use-opponent-weapon-no-possession")
    blow.cites += rules_of_pinner(fight, grappler, target)
    return (yield from strike(fight, blow))


def move_grapple(fight: Fight, grappler: Combatant, target: Combatant, act: acts.Grapple) -> Steps[bool]:
    """Beat every opponent to move all of the grapple at half speed; +4 with one who is pinned, alone.

    Before somebody unperceived it ends where there is room for all of it.
    """
    others, extra = opponents(fight, grappler), list[Modifier]()
    if len(others) == 1 and is_pinning(grappler, target):
        extra.append(
            fight.modifier("srd35.grapple.move-pinned-bonus", "bonus", kind="circumstance", source="pinned")
        )
    by_pinner = rules_of_pinner(fight, grappler, target)
    cites = fight.rules("srd35.grapple.move", "srd35.grapple.check") + by_pinner
    mine = grapple_check(fight, grappler, target, *extra)
    if not (yield from beats_all(fight, grappler, others, mine, "grapple", *cites)):
        return False
    path = act.path
    met = met_at_end(fight, grappler, path[-1], in_way_of_grapple(fight, grappler, path[-1]))
    while path and in_way_of_grapple(fight, grappler, path[-1]):
        path = path[:-1]
    if path:
        places = [carried(grappler, one, path[-1]) for one in others]
        yield moved(grappler, path[-1:], len(path) * SQUARE_FT, "grapple", cites[0])
        for one, place in zip(others, places, strict=True):
            yield displaced(one, (place,), "grapple", cites[0])
    if met is not None:
        yield from run_into(fight, grappler, met, "grapple")
    return True


def draw_in_grapple(fight: Fight, grappler: Combatant, target: Combatant, name: str) -> Steps[bool]:
    """Win a check to draw a light weapon (srd35.grapple.draw-light-weapon)."""
    contest = yield from oppose_grapple_checks(fight, grappler, target, "srd35.grapple.draw-light-weapon")
    if contest.won:
        cites = fight.rules("srd35.grapple.draw-light-weapon")
        yield ItemChanged(who=grappler.id, item=name, state="held", cites=cites)
    return contest.won
