// Why: the current event with its causes, dice, modifiers and rules.

import { areaOf, areaText } from "./areas.js";
import { goTo, h, keepingFocus, nameOf, signed } from "./dom.js";
import { placeOf } from "./log.js";
import { foreknown, originOf } from "./origin.js";
import { pivotsHere } from "./pivots.js";
import { app } from "./state.js";

const SIDES = { attack: "Attack roll", defense: "Defense", parts: "Check", opposed_parts: "Opposed check", modifiers: "Damage" };

export function drawWhy(host, /** @type {Line} */ line, /** @type {number} */ seq, /** @type {State} */ state) {
  const record = line.records[seq - 1];
  if (!record) {
    host.replaceChildren(h("p", { class: "empty" }, "Before the first event. Step on to begin."));
    return;
  }
  const chain = [...record.chain.map((at) => line.records[at - 1]), record];
  const content = [
    h("p", { class: "kicker" }, `#${record.seq} · ${placeOf(line, seq)} · ${record.type}`),
    h("h2", { class: "said" }, record.text),
    record.from && h("p", { class: "quiet" }, `This line was merged from several; this event is from ${record.from.join(", ")}.`),
    declaredBy(chain[0], record),
    cameToThat(chain, record),
    cameOfIt(line, record),
    pivotsHere(line, chain),
    diceOf(chain),
    sums(chain, record, state.g.modes ?? {}),
    coverText(chain),
    areaText(areaOf(line, record)),
    rulesOf(chain, record, state),
    asStored(record),
  ];
  keepingFocus(host, () => host.replaceChildren(...content.filter(Boolean)));
  host.scrollTop = 0;
}

/** The event as stored in the log: the bytes that its digest covers, without the page's rendering. */
function asStored(/** @type {LogRecord} */ record) {
  const { stream, seq, type, version, round, turn, actor, cause, digest, salt, data } = record;
  if (!data) return null;
  const place = `${stream}#${seq} ${type} version ${version}, round ${round}, turn ${turn}, actor ${actor || "none"}, cause #${cause}`;
  const lines = [place, data, `digest ${digest}`, salt && `salt ${salt}`].filter(Boolean).join("\n");
  return h("details", { class: "rule stored" }, h("summary", null, "Stored form"), h("pre", null, lines));
}

export function part(title, ...children) {
  return h("section", { class: "part" }, h("h3", null, title), ...children);
}

function declaredBy(first, /** @type {LogRecord} */ record) {
  if (first === record || first.type !== "declared") return null;
  const by = first.fact.by ? h("span", { class: "quiet" }, ` Said by ${first.fact.by}.`) : null;
  return part("Declared", h("p", null, goTo(first.seq, first.text), by));
}

function cameToThat(chain, /** @type {LogRecord} */ record) {
  const steps = chain.filter((one) => one !== record && !one.hidden && !["declared", "rolled"].includes(one.type));
  if (!steps.length) return null;
  return part("Events before it", h("ol", { class: "steps" }, steps.map((one) => h("li", null, goTo(one.seq, one.text)))));
}

const BOOKKEEPING = ["rolled", "action.spent", "budget.renewed", "turn.began"];

/** The results of a declaration. */
function cameOfIt(/** @type {Line} */ line, /** @type {LogRecord} */ record) {
  if (record.cause !== record.seq) return null;
  const all = [];
  for (let at = record.seq; line.records[at]?.cause === record.seq || line.records[at]?.hidden; at++) all.push(line.records[at]);
  const shown = all.filter((one) => !one.hidden && !BOOKKEEPING.includes(one.type));
  if (!shown.length) return null;
  return part("Results", h("ol", { class: "steps" }, shown.map((one) => h("li", null, goTo(one.seq, one.text)))));
}

function diceOf(chain) {
  const rolls = chain.filter((one) => one.type === "rolled" && one.fact.faces);
  if (!rolls.length) return null;
  return part("Dice", h("ul", { class: "rolls" }, rolls.map((one) => roll(one, chain))));
}

/** The odds of a roll's outcome, if calculated; for an attack its chance to hit. */
function oddsOf(fact, chain) {
  const damage = chain.find((one) => one.type === "damage.resolved" && one.fact.dice?.some((die) => die.key === fact.key));
  const odds = oddsBeside().get(fact.key) ?? oddsBeside().get(damage?.seq);
  if (odds) return odds.join("; ");
  const attack = chain.find((one) => one.type === "attack.resolved" && one.fact.key === fact.key);
  return attack && attack.chance !== null ? `chance to hit: ${attack.chance} %` : "";
}

/** Map(key of a roll, or event that told the damage -> [odds]) of the line and those it came from. */
export function oddsBeside() {
  if (oddsBeside.line === app.line) return oddsBeside.found;
  const found = new Map();
  for (let line = /** @type {Line | undefined} */ (app.line), upto = Infinity; line; upto = Math.min(upto, line.at), line = app.log.lines.get(line.parent)) {
    for (const [seq, key, odds] of app.log.odds[line.name] ?? []) {
      if (seq > upto) continue;
      const place = key || seq;
      if (!found.has(place)) found.set(place, []);
      found.get(place).push(odds);
    }
  }
  return Object.assign(oddsBeside, { line: app.line, found }).found;
}
oddsBeside.line = /** @type {Line | null} */ (null);
oddsBeside.found = /** @type {Map<string | number, string[]>} */ (new Map());

function roll({ fact }, chain) {
  const lost = new Set([...(fact.dropped ?? []), ...(fact.rerolled ?? [])]);
  const faces = fact.faces.map((face, at) =>
    h("span", { class: lost.has(at) ? "die lost" : "die", title: lost.has(at) ? "does not count" : null }, String(face)),
  );
  const total = fact.faces.length > 1 || fact.faces[0] !== fact.total ? h("strong", null, ` = ${fact.total}`) : null;
  const origin = { class: "chip origin", title: foreknown(fact) || `Provenance: ${fact.provenance}` };
  const badge = h("span", origin, originOf(fact, app.log.contributed));
  return h(
    "li",
    null,
    h("span", { class: "dice" }, faces, total),
    h("span", { class: "for" }, [fact.notation, nameOf(fact.who)].filter(Boolean).join(" · "), " ", badge),
    oddsOf(fact, chain) && h("span", { class: "odds quiet" }, oddsOf(fact, chain)),
    h("code", { title: `Provenance: ${fact.provenance}` }, fact.key),
  );
}

/** One table for each list of modifiers; a confirmation has those of its attack, which are shown once. */
function sums(chain, /** @type {LogRecord} */ record, modes) {
  const seen = new Set();
  const tables = [];
  for (const one of [...chain].reverse()) {
    for (const [side, title] of Object.entries(SIDES)) {
      const parts = one.fact[side];
      if (!Array.isArray(parts) || !parts.length) continue;
      const who = roller(one.fact, side);
      const same = side + who + JSON.stringify(parts);
      if (seen.has(same)) continue;
      seen.add(same);
      const whose = who ? `${title} of ${nameOf(who)}` : title;
      tables.push(sum(one === record ? whose : `${whose} ${who ? "in" : "of"} #${one.seq}`, parts, one.fact, side, modes));
    }
    if (one.fact.modifier?.kind) tables.push(sum("Effect", [one.fact.modifier], one.fact, "", modes));
  }
  return tables.length ? h("div", { class: "sums" }, tables) : null;
}

/** Whose modifiers these are, if two combatants rolled. */
function roller(fact, side) {
  if (!("opposed_parts" in fact)) return "";
  return side === "opposed_parts" ? fact.against : fact.who;
}

/** `modes`: the kinds of modifier that change the dice and not the sum, in words. */
function sum(title, parts, fact, side, modes) {
  const total = parts.reduce((all, one) => all + (one.denied ? 0 : one.value), 0);
  const rolled = (side === "attack" || side === "parts") && Number.isInteger(fact.natural) && fact.natural > 0;
  const rows = parts.map((one) =>
    h(
      "tr",
      { class: one.denied ? "denied" : null },
      h("td", { class: "value" }, modes[one.kind] ? "" : signed(one.value)),
      h(
        "td",
        null,
        modes[one.kind] && `${modes[one.kind]}: `,
        h("span", { class: "source" }, app.log.prose(one.source || one.kind)),
        !modes[one.kind] && one.source && one.source.toLowerCase() !== one.kind && h("span", { class: "quiet" }, ` ${one.kind}`),
        one.denied && h("span", { class: "reason" }, `does not count: ${app.log.prose(one.denied)}`),
      ),
    ),
  );
  const foot = rolled
    ? [h("td", { class: "value" }, String(fact.natural + total)), h("td", null, `in total: die ${fact.natural} ${total < 0 ? "−" : "+"} ${Math.abs(total)}${goal(fact)}`)]
    : [h("td", { class: "value" }, signed(total)), h("td", null, "in total")];
  return h("table", { class: "sum" }, h("caption", null, title), h("tbody", null, rows), h("tfoot", null, h("tr", null, foot)));
}

export function goal(fact) {
  const needed = fact.needed ?? fact.dc;
  const first = fact.against && !needed; // of a contest
  if (!Number.isInteger(needed) || first) return "";
  return fact.under ? `, at most ${needed}` : ` against ${needed}`;
}

const COVER = { none: "No cover", soft: "Soft cover", cover: "Cover", total: "Total cover" };

function coverText(chain) {
  const attack = chain.findLast((one) => one.sight);
  if (!attack) return null;
  const { kind, squares = [], creatures = [], lines = [] } = attack.sight;
  const from = [...squares.map((at) => `the square ${at.join(",")}`), ...creatures.map(nameOf)];
  const stopped = lines.filter((line) => line[4]).length;
  const corners = lines.length ? ` From the attacker's best corner ${stopped || "none"} of ${lines.length} lines ${stopped === 1 ? "is" : "are"} stopped.` : "";
  const ruled = (attack.fact.defense ?? []).some((one) => isRuling(one.rule));
  const settled = ruled ? "The sum above includes the ruling; by the map alone: " : "";
  return part(ruled ? "Cover before the ruling" : "Cover", h("p", null, `${settled}${COVER[kind] ?? kind}${from.length ? ` from ${from.join(" and ")}` : ""}.${corners}`));
}

/** All rules cited by the event and its causes, the event's own first. */
function citedBy(chain, /** @type {LogRecord} */ record) {
  const ids = new Set();
  for (const { fact } of [record, ...chain]) {
    for (const id of fact.cites ?? []) ids.add(id);
    if (fact.rule) ids.add(fact.rule);
    for (const side of Object.keys(SIDES)) {
      if (Array.isArray(fact[side])) for (const one of fact[side]) if (one.rule) ids.add(one.rule);
    }
    if (fact.modifier?.rule) ids.add(fact.modifier.rule);
  }
  return [...ids];
}

function rulesOf(chain, /** @type {LogRecord} */ record, /** @type {State} */ state) {
  const ids = citedBy(chain, record);
  if (!ids.length) return null;
  const contested = app.log.contested.filter((entry) => entry.rules.some((id) => ids.includes(id)));
  return part(`Rules (${ids.length})`, ids.map((id) => rule(id, state.g.dialect)), contested.map((entry) => reading(entry, state)));
}

/** The id of a rule, as a link into the rulebook if the page has one; house rules are not in it. */
export function ruleId(id, dialect) {
  const named = h("code", null, id);
  if (!app.log.rulebook || !id.startsWith(`${dialect}.`)) return named;
  return h("a", { href: `${app.log.rulebook}#${id}`, target: "_blank", rel: "noopener", title: "Open in the rulebook (new tab)" }, named);
}

/** Whether a citation is a ruling of the game master, given by its number, instead of a rule. */
function isRuling(id) {
  return String(id).startsWith("ruling:");
}

function ruling(id) {
  const number = id.slice("ruling:".length);
  for (const line of app.log.lines.values()) {
    const at = line.records.findIndex(({ type, fact }) => type === "ruled" && fact.id === number);
    if (at >= 0) return h("p", { class: "rule" }, "By ruling: ", h("button", { type: "button", class: "link", onclick: () => app.follow(line.name, at + 1) }, line.records[at].text));
  }
  return h("p", { class: "rule" }, `By the game master's ruling ${number}`);
}

function rule(id, dialect) {
  if (isRuling(id)) return ruling(id);
  const found = app.log.rules.get(id);
  if (!found) return h("p", { class: "rule" }, h("code", null, id), " is not in this catalogue");
  const [title, section, text, provenance] = found;
  const mark = provenance === "text" ? null : h("span", { class: "chip" }, provenance);
  const source = h("p", { class: "quiet" }, ruleId(id, dialect), section ? ` · ${section}` : "");
  return h("details", { class: "rule" }, h("summary", null, title, mark), h("p", null, text), source);
}

function reading(entry, /** @type {State} */ state) {
  const name = state.g.options?.[entry.option] ?? entry.default;
  const kept = name === entry.default ? "the default" : "chosen for this encounter";
  return h(
    "details",
    { class: "rule contested" },
    h("summary", null, "Contested: ", entry.title),
    h("p", null, entry.question),
    h("p", null, h("strong", null, `${entry.option} = ${name}`), ` (${kept}): ${entry.readings[name] ?? ""}`),
  );
}
