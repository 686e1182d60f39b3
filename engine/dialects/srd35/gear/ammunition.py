"""What a blow costs its weapon: loading, missiles, the shield that was struck with, the net that was thrown.

srd35.weapons.reload, .ammunition, .shield-bash, .net, srd35.armor.buckler, srd35.feat.rapid-reload,
srd35.weapon.thrown-unsuited.
"""

import re
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd35.attacks.rend import rending
from affray.engine.dialects.srd35.gear.weapon_kinds import crossbow_class
from affray.engine.dialects.srd35.gear.weapon_tables import HANDLING
from affray.engine.dialects.srd35.gear.worn_items import BUCKLER
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_action
from affray.engine.rules.attacks import full_attack as full_attack_of
from affray.engine.rules.attacks.whirlwind_attack import whirlwind_strikes
from affray.engine.rules.classes.ability_modifiers import has_feat, has_named, trait_detail
from affray.engine.rules.gear import nets
from affray.engine.rules.gear.held_weapons import SPIKES, wants_loading
from affray.engine.rules.gear.let_go import UNLOADED
from affray.engine.rules.gear.loading import CASE, loads_slowly
from affray.engine.rules.gear.table_rows import usual_name
from affray.engine.rules.gear.weapons_in_hand import find_weapon, weapon_to_load
from affray.engine.rules.gear.worn_items import borne_of_row, shields_struck_with
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.errors import did_you_mean
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, ItemChanged, ResourceSpent, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

RELOAD: Final = "srd35.weapons.reload"


def provoke_by_whip(fight: Fight, blow: Blow, declaration: str) -> Steps[None]:
    """Let a weapon that opens one's guard provoke as a shot does: the whip (srd35.weapons.whip)."""
    return fight.dialect.opportunity.provoke(
        fight,
        blow.attacker,
        threatening(fight, blow.attacker),
        f"attacks with the {blow.weapon.name}",
        f"whip:{declaration}",
        *fight.rules("srd35.weapons.whip", "srd35.weapons.special-key"),
    )


def empty_weapon(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Tell what a shot or throw has done to the weapon: cast away, unloaded, a missile spent.

    srd35.weapons.net, srd35.weapons.reload, srd35.weapons.ammunition.
    """
    weapon = blow.weapon
    if wants_loading(weapon):
        yield from unload(fight, blow.attacker, weapon)
    if weapon.ammunition is not None and not hit and weapon.wield == "projectile":
        cites = fight.rules("srd35.weapons.ammunition")
        missed = missed_of(weapon.name)
        yield ResourceSpent(who=blow.attacker.id, resource=missed, amount=blow.intent.arrows, cites=cites)


def unload(fight: Fight, holder: Combatant, weapon: Weapon) -> Steps[None]:
    """Leave a crossbow or sling unloaded, a repeating one when its case is empty (srd35.weapons.reload)."""
    if weapon.load == CASE:
        case = f"bolts of the {weapon.name}"
        yield ResourceSpent(who=holder.id, resource=case, amount=1, cites=fight.rules(RELOAD))
        if holder.resources[case] % bolts_in_case(fight):
            return
    yield ItemChanged(who=holder.id, item=weapon.name, state=UNLOADED, cites=fight.rules(RELOAD))


def bolts_in_case(fight: Fight) -> int:
    """Return how many bolts the case of a repeating crossbow holds."""
    found = re.search(r"[0-9]+", fight.figure(RELOAD, "repeating"))
    return int(found[0]) if found else 1


def gather_missiles(fight: Fight, act: acts.Gather) -> Steps[None]:
    """Gather the missiles of a weapon that have missed, a full-round action; half of them are whole.

    Those are ammunition again; what hit is not (srd35.weapons.ammunition).
    """
    actor = fight.combatant(act.actor)
    topic = "srd35.weapons.ammunition"
    rule = fight.rule(topic)
    missed = actor.resources.get(missed_of(act.item), 0)
    if missed <= 0:
        known = (one.name for one in actor.sheet.weapons if actor.resources.get(missed_of(one.name), 0) > 0)
        reason = (
            f"no missile of the {act.item!r} lies about"
            if act.item
            else "no weapon is named whose missiles to gather"
        )
        raise Refusal(f"{reason}{did_you_mean(act.item, known)}", rule)
    yield spending(fight, actor, "full-round", "gather", rule)
    whole = 0
    for _ in range(missed):
        rolled = yield Roll(actor.id, "ammunition", "1d100")
        whole += rolled.total > fight.figure(topic, "lost_on_miss_pct")
    yield RuleApplied(
        who=actor.id,
        what=f"whole: {whole} of {counted(missed, 'missile')}",
        cites=(rule,),
    )
    yield ResourceSpent(who=actor.id, resource=missed_of(act.item), amount=-missed, cites=(rule,))
    if whole:
        yield ResourceSpent(who=actor.id, resource=act.item, amount=-whole, cites=(rule,))


def missed_of(weapon: str) -> str:
    """Return the name under which the missiles of a weapon are counted that have missed."""
    return f"missed with the {weapon}"


def lower_striking_shield(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Take away the shield bonus of whoever strikes with it, or with the arm that bears a buckler.

    Until its next turn; Improved Shield Bash keeps it (srd35.weapons.shield-bash, srd35.armor.buckler).
    """
    attacker = blow.attacker
    bash = "shield bash" in blow.weapon.traits
    topic = "srd35.weapons.shield-bash" if bash else "srd35.armor.buckler"
    lowered = shields_struck_with(blow) if bash else borne_of_row(attacker, *BUCKLER)
    if not lowered:
        return
    if bash and has_feat(attacker, "improved shield bash"):
        kept = fight.rules("srd35.weapons.shield-bash", "srd35.feat.improved-shield-bash")
        yield RuleApplied(who=attacker.id, what=f"keeps the guard of the {lowered[0]}", cites=kept)
        return
    rule = fight.rule(topic)
    for name in lowered:
        if any(one.stat == "no.defense" and one.modifier.source == name for one in attacker.effects):
            continue
        yield EffectGained(
            who=attacker.id,
            id=f"{fight.declaration}:lowered {name}",
            stat="no.defense",
            modifier=Modifier(0, "shield", name, rule),
            until=Until("turn-start", attacker.id, fight.state.round + 1),
            cites=(rule,),
        )


def load_weapon(fight: Fight, act: acts.Load) -> Steps[None]:
    """Load a crossbow or sling; it provokes (srd35.weapons.reload).

    Rapid Reload for that kind of crossbow makes it shorter (srd35.feat.rapid-reload).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(RELOAD)
    weapon = weapon_to_load(fight, actor, act.item, rule)
    if actor.items.get(act.item) != UNLOADED:
        raise Refusal(f"{act.item!r} needs no loading", rule)
    kind, cites = action_to_load(fight, actor, weapon)
    yield spending(fight, actor, kind, "load", *cites)
    name = f"load:{fight.declaration}"
    slow = ("full-round", "Load a heavy or repeating crossbow")
    column, action = slow if kind == "full-round" else ("move", "Load a hand or light crossbow")
    table = fight.dialect.turns.table_rules(fight, column, action)
    yield from fight.dialect.opportunity.provoke(
        fight, actor, threatening(fight, actor), "loads a weapon", name, rule, *table
    )
    if not is_down(fight, actor):
        yield ItemChanged(who=actor.id, item=act.item, state="loaded", cites=(rule,))


def action_to_load(fight: Fight, holder: Combatant, weapon: Weapon) -> tuple[str, tuple[str, ...]]:
    """Return the action that loading takes, and the rules that say so."""
    if weapon.load == CASE:
        return str(fight.figure(RELOAD, "repeating").rpartition("case ")[2]), fight.rules(RELOAD)
    heavy = loads_slowly(weapon)
    kind = "sling" if weapon.family == "sling" else "heavy" if heavy else crossbow_class(weapon)
    names = {weapon.name, usual_name(weapon.table or weapon.name)}
    if weapon.family != "sling" and any(has_named(holder.sheet, f"rapid reload ({name})") for name in names):
        rapid = fight.figure("srd35.feat.rapid-reload", "heavy" if kind == "heavy" else "hand_light")
        return str(rapid), fight.rules(RELOAD, "srd35.feat.rapid-reload")
    return str(fight.figure(RELOAD, kind)), fight.rules(RELOAD)


def attack_or_hurl(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Make one attack, also by throwing what is not made to be thrown (srd35.weapon.thrown-unsuited)."""
    actor = fight.combatant(act.actor)
    weapon = find_weapon(fight, actor, act.weapon)
    if act.thrown and not weapon.thrown and weapon.wield in HANDLING:
        return hurl_unsuited_weapon(fight, act, actor, weapon)
    if nets.NET in weapon.traits:
        return attack_action.attack(fight, nets.as_thrown_net(fight, act))
    return attack_action.attack(fight, act)


def hurl_unsuited_weapon(fight: Fight, act: acts.Attack, holder: Combatant, weapon: Weapon) -> Steps[None]:
    """Throw a melee weapon at -4: a standard action, for a two-handed one a full-round action."""
    topic = "srd35.weapon.thrown-unsuited"
    kind = "full-round" if weapon.wield == "two-handed" else "standard"
    threat, multiplier = threat_and_multiplier(fight, topic)
    flung = replace(
        weapon,
        thrown=True,
        range=fight.figure(topic, "range_ft"),
        threat=threat,
        multiplier=multiplier,
        traits=(*weapon.traits, "not made to be thrown"),
    )
    target = fight.combatant(act.target)
    blow = fight.dialect.attacks.prepare(
        fight, holder, target, flung, "attack", thrown=True, nonlethal=act.nonlethal
    )
    fight.dialect.attacks.declared_feats(fight, holder, act, (blow,))  # no feat's pledge goes with a throw
    yield spending(fight, holder, kind, "throw", *fight.rules(topic, "srd35.attack-action.ranged"))
    if act.defensively:
        yield from attack_action.fight_defensively(fight, holder)
    yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration)


def threat_and_multiplier(fight: Fight, topic: str) -> tuple[int, int]:
    """Return threat and multiplier of a figure such as "20/x2"."""
    threat, _, multiplier = str(fight.figure(topic, "crit")).partition("/x")
    return int(threat), int(multiplier)


def full_attack_and_rend(fight: Fight, act: acts.FullAttack) -> Steps[None]:
    """Make a full attack; what is amiss with a special attack among the blows is refused at once.

    A Whirlwind Attack strikes at all around, and who rends tears whom it has hit often enough
    (srd35.feat.whirlwind-attack, srd35.constrict-rake-rend).
    """
    actor = fight.combatant(act.actor)
    if act.whirlwind:
        act = whirlwind_strikes(fight, actor, act)
    if len(actor.sheet.weapons) > 1:
        refuse_spikes(fight, actor, act)
    steps = full_attack_of.full_attack_in_parts(fight, actor, act)
    return rending(fight, actor, steps) if actor.sheet.traits and trait_detail(actor, "rend") else steps


def refuse_spikes(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse armor spikes beside another weapon of the off hand (srd35.weapons.armor-spikes)."""
    if not [weapon for weapon in actor.sheet.weapons if weapon.table == SPIKES]:
        return
    found = [(find_weapon(fight, actor, one.weapon), one.off_hand) for one in act.strikes if not one.special]
    others = [off or weapon.off_hand for weapon, off in found if weapon.table != SPIKES]
    if len(others) < len(found) and any(others):
        raise Refusal("armor spikes are the off hand's only weapon", fight.rule("srd35.weapons.armor-spikes"))
