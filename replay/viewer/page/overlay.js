// The overlay: the order and the last outcome, large, on nothing; for a stream or a screen at the table.

const app = { log: null, line: null, pinned: "", focus: () => "", pin() {}, look() {} };
const OUTCOMES = ["attack.resolved", "damage.resolved", "hit-points.changed", "condition.gained", "save.resolved", "check.resolved", "refused"];

async function main() {
  document.documentElement.dataset.ready = "sign";
  addEventListener("hashchange", () => location.hash.startsWith("#t=") && (takeToken(), location.reload()));
  if (!takeToken()) return tellOverlay("The address of this page ends in #t= and the token of a link.");
  try {
    Object.assign(session, await askOn("/session"));
    await followFight({ loaded: drawOverlay, grown: drawOverlay, cut: drawOverlay, learned: drawOverlay, refused: (error) => tellOverlay(error.message) });
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    tellOverlay(error.message);
  }
}

function tellOverlay(words) {
  byId("sign-told").textContent = words;
}

function drawOverlay() {
  const { line } = mainline;
  app.line = line;
  const state = stateAt(line, line.last);
  const order = (state.g.order ?? []).filter((id) => state.c.has(id));
  const all = order.length ? order : [...state.c.keys()];
  byId("order").replaceChildren(...all.map((id) => orderRow(state.c.get(id), state)));
  const words = state.g.ask ? `Waiting for ${state.g.ask}` : lastOutcome(line);
  if (byId("outcome").textContent !== words) byId("outcome").textContent = words;
  document.documentElement.dataset.ready = "yes";
}

function orderRow(one, state) {
  const active = state.g.active === one.id;
  const kinds = ["one", sideClass(state, one.side), hueClass(one.id), active && "active", isOut(one) && "out"].filter(Boolean).join(" ");
  const held = one.conditions.map(([name]) => name).join(", ");
  return h("li", { class: kinds, "aria-current": active ? "true" : null },
    h("span", { class: "seal", "aria-hidden": "true" }, app.log.letters.get(one.id) ?? "?"), h("span", { class: "called" }, nameOf(one.id)),
    healthBar(one), held && h("span", { class: "held" }, held));
}

/** The last thing that came of what somebody did; of a declaration with several the one that says most. */
function lastOutcome(line) {
  for (let at = line.last - 1; at >= 0; at--) {
    const one = line.records[at];
    if (OUTCOMES.includes(one.type)) {
      const struck = line.records.slice(0, at).findLast((other) => other.cause === one.cause && other.type === "attack.resolved");
      return struck && one.type !== "attack.resolved" ? `${struck.text}. ${one.text}` : one.text;
    }
    if (one.type === "turn.began" || one.type === "encounter.closed") return one.text;
  }
  return "";
}
