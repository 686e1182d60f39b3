// Dice notation: the terms of a text, and the total of faces under them, as in the engine.

const MOST_DICE = 1000, MOST_SIDES = 1000, MOST_NUMBER = 1_000_000, MOST_NOTATION = 200, MOST_EXTRA = 1000;
const KEEPS = { k: "kh", kh: "kh", kl: "kl", d: "dl", dh: "dh", dl: "dl" };
const NOTATIONS = new Map();

/** The terms of a notation: numbers { value } and dice; throws an error that names the fault. Cached. */
export function parseDice(text) {
  let terms = NOTATIONS.get(text);
  if (!terms) NOTATIONS.set(text, terms = readTerms(text));
  return terms;
}

function readTerms(text) {
  if (typeof text !== "string" || [...text].length > MOST_NOTATION) throw new Error("not dice notation");
  const wrong = (at) => new Error(`not dice notation: ${text}, character ${at + 1}`);
  const terms = [];
  let at = blanks(text, 0);
  let dice = 0;
  while (at < text.length || !terms.length) {
    const sign = { "+": 1, "-": -1, "\u2212": -1 }[text[at]];
    if (sign) at = blanks(text, at + 1);
    else if (terms.length) throw wrong(at);
    const found = matchAt(/(?:(\d*)d(\d+|%))|(\d+)/iy, text, at);
    if (!found) throw wrong(at);
    at += found[0].length;
    let term;
    if (found[3] !== undefined) {
      term = { value: (sign ?? 1) * Number(found[3]) };
      if (Number(found[3]) > MOST_NUMBER) throw wrong(at);
    } else {
      term = { sign: sign ?? 1, count: Number(found[1] || 1), sides: found[2] === "%" ? 100 : Number(found[2]) };
      const { count, sides } = term;
      dice += count;
      if (count < 1 || dice > MOST_DICE || sides < 1 || sides > MOST_SIDES) throw wrong(at);
      at = readModifiers(term, text, at, wrong);
    }
    at = readLabel(text, at, wrong);
    terms.push(term);
    at = blanks(text, at);
  }
  return terms;
}

function readModifiers(term, text, at, wrong) {
  const modifier = /(k[hl]?|d[hl]?)(\d*)|(ro|rr|e)([<>]?)(\d+)|(!)(?![!<>=\d])|(mi)n?(\d+)/iy;
  for (let found; (found = matchAt(modifier, text, at)); at += found[0].length) {
    const word = (found[1] ?? found[3] ?? found[6] ?? found[7]).toLowerCase();
    const kind = found[1] ? "keep" : found[7] ? "least" : word === "ro" || word === "rr" ? "reroll" : "explode";
    if (term[kind]) throw wrong(at);
    if (kind === "keep") {
      term.keep = { how: KEEPS[word], number: Number(found[2] || 1) };
      if (term.keep.number < 1 || term.keep.number > term.count) throw wrong(at);
    } else if (kind === "least") {
      term.least = Number(found[8]);
      if (term.least < 2 || term.least > term.sides) throw wrong(at);
    } else {
      const test = { compare: found[4] ?? "", number: found[5] === undefined ? term.sides : Number(found[5]), once: word === "ro" };
      // A test that every face meets would never end; one that no face meets is a typo.
      const met = test.compare === "<" ? Math.min(test.number - 1, term.sides) : test.compare === ">" ? term.sides - test.number : Number(test.number >= 1 && test.number <= term.sides);
      if (met <= 0 || met >= term.sides) throw wrong(at);
      term[kind] = test;
    }
  }
  return at;
}

function readLabel(text, at, wrong) {
  const start = blanks(text, at);
  if (text[start] !== "[") return at;
  const found = matchAt(/\[([^[\]]*)\]/y, text, start);
  const label = found ? found[1].trim().replace(/\s+/g, " ") : "";
  if (!label || /[\p{C}\p{Z}]/u.test(label.replaceAll(" ", ""))) throw wrong(start);
  return start + found[0].length;
}

function blanks(text, at) {
  while (text[at] === " ") at++;
  return at;
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The roll with faces from `draw(sides, count)`: { faces, dropped, rerolled, exploded, total }. */
export function throwDice(terms, draw) {
  const thrown = { faces: [], dropped: [], rerolled: [], exploded: [], total: 0 };
  for (const term of terms) thrown.total += "value" in term ? term.value : term.sign * throwTerm(term, draw, thrown);
  for (const marks of [thrown.dropped, thrown.rerolled, thrown.exploded]) marks.sort((a, b) => a - b);
  return thrown;
}

/** Roll one more term; returns the sum of its dice that count. */
function throwTerm(term, draw, { faces, dropped, rerolled, exploded }) {
  const more = (count) => {
    const start = faces.length;
    faces.push(...draw(term.sides, count));
    return Array.from({ length: count }, (_, at) => start + at);
  };
  const meeting = (test, dice, most) => dice.filter((at) => holds(test, faces[at])).slice(0, most);
  const start = faces.length;
  let live = more(term.count);
  let spare = MOST_EXTRA;
  if (term.reroll) {
    const gone = new Set();
    for (let turned = meeting(term.reroll, live, spare); turned.length; ) {
      for (const at of turned) gone.add(at);
      spare -= turned.length;
      const fresh = more(turned.length);
      turned = term.reroll.once ? [] : meeting(term.reroll, fresh, spare);
    }
    rerolled.push(...gone);
    live = Array.from({ length: faces.length - start }, (_, at) => start + at).filter((at) => !gone.has(at));
  }
  if (term.explode) {
    for (let bursting = meeting(term.explode, live, spare); bursting.length; ) {
      exploded.push(...bursting);
      spare -= bursting.length;
      const fresh = more(bursting.length);
      live.push(...fresh);
      bursting = meeting(term.explode, fresh, spare);
    }
  }
  if (term.keep) {
    const { how, number } = term.keep;
    const high = how === "kh" || how === "dl";
    const kept = how[0] === "k" ? number : live.length - number;
    // Of equal faces the earlier die is kept: the same faces always give the same roll.
    const ranked = [...live].sort((a, b) => (high ? faces[b] - faces[a] : faces[a] - faces[b]) || a - b);
    dropped.push(...ranked.slice(kept));
    live = ranked.slice(0, kept);
  }
  return live.reduce((sum, at) => sum + Math.max(faces[at], term.least ?? 0), 0);
}

function holds({ compare, number }, face) {
  return compare === "<" ? face < number : compare === ">" ? face > number : face === number;
}

/** The roll that showed exactly these faces; throws an error for too few, too many or impossible faces. */
export function rethrowDice(terms, faces) {
  let used = 0;
  const thrown = throwDice(terms, (sides, count) => {
    const taken = faces.slice(used, (used += count));
    if (taken.length < count) throw new Error(`at least ${used} faces are needed, ${faces.length} given`);
    for (const face of taken) if (!Number.isInteger(face) || face < 1 || face > sides) throw new Error(`a d${sides} cannot show ${face}`);
    return taken;
  });
  if (used < faces.length) throw new Error(`${used} faces are needed, ${faces.length} given`);
  return thrown;
}
