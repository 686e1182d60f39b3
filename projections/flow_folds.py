"""How declarations, turns and what surrounds a fight change its state."""

from msgspec.structs import replace

from affray.events.facts import chains, declared, flow, rolled
from affray.projections.equal_sheets import one_of_equals
from affray.projections.handlers import folds
from affray.projections.presence import in_order, new, there
from affray.projections.state import Brewing, Chain, Combatant, Encounter, Question, without_feats


@folds(flow.EncounterOpened, touches="combatants")
def _opened(state: Encounter, fact: flow.EncounterOpened) -> None:
    state.name, state.dialect, state.options = fact.name, fact.dialect, dict(fact.options)
    state.terrain, state.commitment = fact.terrain, fact.commitment
    state.barriers, state.tables = fact.barriers, fact.tables
    state.ground = fact.ground
    state.packages = fact.packages or ()
    state.until_closed, state.things_lie = fact.until_closed, fact.things_lie
    state.defaults = fact.defaults


@folds(flow.SeedContributed, touches="nothing")
def _contributed(state: Encounter, fact: flow.SeedContributed) -> None:
    state.contributions = (*state.contributions, (fact.by, fact.words))


@folds(chains.ChainBegun, touches="nothing")
def _chain_begun(state: Encounter, fact: chains.ChainBegun) -> None:
    # A chain that takes the place of one used up goes to the end: the order is that of beginning.
    state.chains.pop(fact.by, None)
    state.chains[fact.by] = Chain(fact.anchor, fact.length, state.declarations, 0, fact.anchor)


@folds(chains.LinkGiven, touches="nothing")
def _link_given(state: Encounter, fact: chains.LinkGiven) -> None:
    chain = state.chains[fact.by]
    # Where declarations were swapped an earlier link may come after a later one.
    if fact.number > chain.number:
        state.chains[fact.by] = replace(chain, number=fact.number, last=fact.link)
    state.pending = None


@folds(chains.ChainLeft, touches="nothing")
def _chain_left(state: Encounter, fact: chains.ChainLeft) -> None:
    del state.chains[fact.by]
    state.pending = None


@folds(flow.OptionsChanged, touches="combatants")
def _options(state: Encounter, fact: flow.OptionsChanged) -> None:
    state.options.update(fact.options)
    restores = fact.restores or {}
    for option in fact.options:
        if option in restores:
            state.restores.setdefault(option, restores[option])
        else:
            state.restores.pop(option, None)


@folds(flow.CombatantEntered, touches="combatants")
def _entered(state: Encounter, fact: flow.CombatantEntered) -> None:
    new(state, fact.id)
    state.combatants[fact.id] = Combatant(
        id=fact.id,
        side=fact.side,
        sheet=one_of_equals(without_feats(fact.sheet, fact.unusable or ())),
        at=fact.at,
        space=fact.space,
        reach=fact.reach,
        hp=fact.hp,
        max_hp=fact.max_hp,
        nonlethal=fact.nonlethal,
        held=fact.held,
        acted=fact.acted,
        policy=fact.policy,
        fixed_initiative=fact.initiative,
        unusable=fact.unusable or (),
    )


@folds(declared.Declared, touches="nothing")
def _declared(state: Encounter, fact: declared.Declared) -> None:
    if fact.id.startswith(declared.REFUSED):
        state.refusals += 1
    else:
        state.declarations += 1


@folds(declared.Asked, touches="combatants")
def _asked(state: Encounter, fact: declared.Asked) -> None:
    state.pending = Question(
        fact.key, fact.who, fact.question, fact.options, fact.rule, fact.notation, fact.key.split("/")[0]
    )


@folds(declared.Chosen, rolled.Rolled, touches="nothing")
@folds(declared.Ruled, touches="combatants")
def _answered(state: Encounter, fact: object) -> None:
    # For a roll too: a die that somebody was asked to throw is an answer.
    state.pending = None


@folds(flow.AwarenessSettled, touches="combatants")
def _awareness(state: Encounter, fact: flow.AwarenessSettled) -> None:
    there(state, fact.aware, fact.surprised)
    state.begun = True
    for combatant in state.combatants.values():
        combatant.aware = combatant.id not in fact.surprised


@folds(flow.InitiativeRolled, touches="combatants")
def _initiative(state: Encounter, fact: flow.InitiativeRolled) -> None:
    combatant = state.combatants[fact.who]
    combatant.initiative, combatant.initiative_modifier = fact.total, fact.modifier


@folds(flow.OrderSet, touches="combatants")
def _order(state: Encounter, fact: flow.OrderSet) -> None:
    state.order = in_order(state, fact.order)


@folds(flow.RoundBegan, touches="round")
def _round_began(state: Encounter, fact: flow.RoundBegan) -> None:
    state.round, state.turn, state.active, state.phase = fact.number, 0, "", fact.phase
    for combatant in state.combatants.values():
        combatant.plan = ()


@folds(flow.PhaseChanged, touches="combatants")
def _phase(state: Encounter, fact: flow.PhaseChanged) -> None:
    state.phase = fact.phase


@folds(flow.RoundEnded, touches="nothing")
def _round_ended(state: Encounter, fact: flow.RoundEnded) -> None:
    state.active = ""


@folds(flow.TurnBegan, touches="nothing")
def _turn_began(state: Encounter, fact: flow.TurnBegan) -> None:
    state.turn, state.active = fact.number, fact.who
    combatant = state.combatants[fact.who]
    combatant.acted, combatant.delaying, combatant.waited = True, False, None


@folds(flow.TurnEnded, touches="nothing")
def _turn_ended(state: Encounter, fact: flow.TurnEnded) -> None:
    state.combatants[fact.who]  # raises KeyError for a ghost
    state.active = ""


@folds(flow.BudgetRenewed, touches="nothing")
def _renewed(state: Encounter, fact: flow.BudgetRenewed) -> None:
    combatant = state.combatants[fact.who]
    if "actions" in fact.what:
        combatant.spent = {}
    if "reactions" in fact.what:
        combatant.reactions, combatant.opportunities = {}, ()


@folds(flow.ActionSpent, touches="nothing")
def _spent(state: Encounter, fact: flow.ActionSpent) -> None:
    spent = state.combatants[fact.who].spent
    spent[fact.kind] = spent.get(fact.kind, 0) + fact.amount


@folds(flow.ReactionSpent, touches="nothing")
def _reacted(state: Encounter, fact: flow.ReactionSpent) -> None:
    combatant = state.combatants[fact.who]
    combatant.reactions[fact.kind] = combatant.reactions.get(fact.kind, 0) + fact.amount
    if fact.opportunity:
        combatant.opportunities += (fact.opportunity,)


@folds(flow.PlanMade, touches="plan")
def _planned(state: Encounter, fact: flow.PlanMade) -> None:
    state.combatants[fact.who].plan = fact.actions


@folds(flow.TurnDelayed, touches="combatants")
def _delayed(state: Encounter, fact: flow.TurnDelayed) -> None:
    combatant = state.combatants[fact.who]
    combatant.delaying, combatant.waited = True, state.round


@folds(flow.InitiativeChanged, touches="combatants")
def _reordered(state: Encounter, fact: flow.InitiativeChanged) -> None:
    state.combatants[fact.who].initiative = fact.value
    state.order = in_order(state, fact.order)


@folds(flow.ActReadied, touches="combatants")
def _readied(state: Encounter, fact: flow.ActReadied) -> None:
    state.combatants[fact.who].readied = fact.act


@folds(flow.ReadyEnded, touches="combatants")
def _ready_ended(state: Encounter, fact: flow.ReadyEnded) -> None:
    state.combatants[fact.who].readied = None


@folds(flow.CastingBegan, touches="combatants")
def _casting_began(state: Encounter, fact: flow.CastingBegan) -> None:
    combatant = state.combatants[fact.who]
    if fact.when:
        combatant.brewing += (Brewing(fact.act, fact.due, fact.when),)
        return
    combatant.casting, combatant.casting_due = fact.act, fact.due


@folds(flow.CastingEnded, touches="combatants")
def _casting_ended(state: Encounter, fact: flow.CastingEnded) -> None:
    combatant = state.combatants[fact.who]
    if fact.spell:
        place = next(at for at, one in enumerate(combatant.brewing) if one.act.spell == fact.spell)
        combatant.brewing = (*combatant.brewing[:place], *combatant.brewing[place + 1 :])
        return
    combatant.casting, combatant.casting_due = None, 0


@folds(flow.EncounterClosed, touches="combatants")
def _closed(state: Encounter, fact: flow.EncounterClosed) -> None:
    state.closed, state.seed, state.active = fact.reason, fact.seed, ""


@folds(flow.TimePassed, touches="combatants")
def _time(state: Encounter, fact: flow.TimePassed) -> None:
    state.minutes += fact.minutes
