"""Two weapons at once: the extra attack of the off hand, and what it costs (woa.two-weapon.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.two_weapon_fighting import wielded_with_another
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

TABLE, EXTRA, BASH, THROWN = (
    "woa.two-weapon.penalty-table",
    "woa.two-weapon.extra-attack",
    "woa.two-weapon.shield-bash",
    "woa.two-weapon.thrown",
)
TRAINING, BASHING = "two-weapon fighting", "improved shield bash"
Rows = list[list[Modifier]]


def is_off_hand(combatant: Combatant, one: acts.Strike) -> bool:
    """Say whether a strike is one of the off hand: it says so, or its weapon is held there."""
    return one.off_hand or any(
        weapon.off_hand for weapon in combatant.sheet.weapons if weapon.name == one.weapon
    )


def weapon_of_strike(fight: Fight, attacker: Combatant, weapon: Weapon, one: acts.Strike) -> Weapon:
    """Return a strike's weapon as it is wielded: in the off hand if the strike says so."""
    return wielded_with_another(fight, weapon, True) if one.off_hand else weapon


def attacks_with_off_hand(fight: Fight, actor: Combatant, act: acts.FullAttack, series: Rows) -> Rows:
    """Return the modifiers of each attack: the series, and one more with a weapon in the off hand.

    The off hand strikes no oftener than that (woa.two-weapon.extra-attack). Strikes of the off hand alone
    are none with two weapons.
    """
    off = sum(is_off_hand(actor, one) for one in act.strikes)
    if not off or off == len(act.strikes):
        return series
    extra = fight.figure(EXTRA, "extra_attacks")
    if off > extra:
        raise Refusal(f"the off hand of {actor.id} makes {extra} attack, not {off}", fight.rule(EXTRA))
    return [*series, *([] for _ in range(extra))]


def two_weapon_penalty(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Steps[None]:
    """Lay the penalty of two weapons on all attack rolls of the round.

    Eased by a light weapon in the off hand and by the feats (woa.two-weapon.penalty-table, .shield-bash). A
    full attack with the off hand's weapon alone is none with two weapons.
    """
    off = [one for one in act.strikes if is_off_hand(actor, one)]
    if not off or len(off) == len(act.strikes):
        return
    rule = fight.rule(EXTRA)
    weapon = weapon_of_strike(fight, actor, find_weapon(fight, actor, off[0].weapon), off[0])
    light, counted = is_light_in_off_hand(fight, weapon, off[0].thrown)
    feat = has_feat(actor, TRAINING)
    source = "two weapons" + (" (light off-hand weapon)" if light else "")
    if light or feat:
        value = next(
            one["penalty"]
            for one in fight.figure(TABLE)
            if (one["off_hand_light"], one["feat"]) == (light, feat)
        )
        part = Modifier(value, "penalty", source, fight.rule(TABLE))
    else:
        part = fight.modifier(EXTRA, "penalty_all_attacks", kind="penalty", source=source)
    parts = [part]
    if has_shield_bash_ease(fight, actor, act, weapon):
        parts.append(fight.modifier(BASH, "reduction", kind="untyped", source="Improved Shield Bash"))
    for number, one in enumerate(parts):
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:two-weapons:{number}",
            stat="attack",
            modifier=one,
            until=Until("round-end", "", fight.state.round),
            cites=(rule, *counted, one.rule) if one is part else (one.rule,),
        )


def is_light_in_off_hand(fight: Fight, weapon: Weapon, thrown: bool) -> tuple[bool, tuple[str, ...]]:
    """Return whether an off-hand weapon counts as light, and the rule besides that says so.

    Fists do; of what is thrown or slung the rule names those that do and those that do not
    (woa.two-weapon.thrown).
    """
    if thrown or weapon.wield == "projectile":
        for row in fight.figure(THROWN):
            if row["weapon"] == weapon.name:
                return row["treat_as"] == "light", fight.rules(THROWN)
    return weapon.wield in ("light", "unarmed"), ()


def has_shield_bash_ease(fight: Fight, attacker: Combatant, act: acts.FullAttack, weapon: Weapon) -> bool:
    """Say whether Improved Shield Bash eases the penalty: shield and fists, and nothing else."""
    if "shield" not in weapon.traits or not has_feat(attacker, BASHING):
        return False
    others = [one for one in act.strikes if not is_off_hand(attacker, one)]
    return all(find_weapon(fight, attacker, one.weapon).wield == "unarmed" for one in others)
