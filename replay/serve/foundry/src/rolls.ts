// Finished rolls in Foundry's form: rolled dice, and terms that add up to the total.

import type { DamagePart, Fact, Modifier, Rolled } from "./told.js";

interface Term {
  class: "Die" | "NumericTerm" | "OperatorTerm";
  options: { flavor?: string };
  evaluated: true;
  [field: string]: unknown;
}

/** A roll for `Roll.fromData`. */
export interface FinishedRoll {
  class: "Roll";
  options: Record<string, never>;
  dice: [];
  formula: string;
  terms: Term[];
  total: number;
  evaluated: true;
}

const DICE = /^(\d*)d(\d+)(.*)$/;
const PERCENT = /d%/g;

/** A sum built term by term. */
class Sum {
  readonly terms: Term[] = [];
  private readonly formula: string[] = [];
  private value = 0;

  /** Add a number with its source. */
  add(number: number, flavor: string): void {
    if (number === 0) return;
    this.join(number < 0 ? "-" : "+", Math.abs(number), flavor);
    this.value += number;
  }

  /** Add the rolled dice, with the numbers in their notation. */
  throw(rolled: Rolled, flavor: string): void {
    const groups = rolled.notation.replaceAll(PERCENT, "d100").replaceAll("-", "+-").split("+").filter(Boolean);
    const dice = groups.filter((one) => DICE.test(one.replace("-", "")));
    let from = 0;
    for (const group of dice) {
      const [, count, faces = "1", modifiers = ""] = DICE.exec(group.replace("-", "")) ?? [];
      const number = Number(count || 1);
      // Rerolled or exploded dice are among the others: then all belong to one group.
      const to = dice.length === 1 ? rolled.faces.length : from + number;
      this.die(group.startsWith("-") ? "-" : "+", number, Number(faces), modifiers, rolled, from, to, flavor);
      from = to;
    }
    for (const one of groups) if (/^-?\d+$/.test(one)) this.add(Number(one), flavor);
  }

  /** Finish the sum at its total; a difference becomes a separate term. */
  closed(total: number, rest: string): FinishedRoll {
    if (!this.terms.length && total === 0) this.number(0, rest);
    this.add(total - this.value, rest);
    return { class: "Roll", options: {}, dice: [], formula: this.formula.join(" "), terms: this.terms, total, evaluated: true };
  }

  private die(sign: "+" | "-", number: number, faces: number, modifiers: string, rolled: Rolled, from: number, to: number, flavor: string): void {
    const results = rolled.faces.slice(from, to).map((result, index) => {
      const at = from + index;
      const again = rolled.rerolled.includes(at), out = rolled.dropped.includes(at);
      return {
        result, active: !again && !out,
        ...(again ? { rerolled: true } : {}), ...(out ? { discarded: true } : {}), ...(rolled.exploded.includes(at) ? { exploded: true } : {}),
      };
    });
    this.operator(sign);
    const named = label(flavor);
    const options = named ? { flavor: named } : {};
    this.terms.push({ class: "Die", options, evaluated: true, number, faces, modifiers: modifiers ? [modifiers] : [], results });
    this.formula.push(`${number}d${faces}${modifiers}${named && `[${named}]`}`);
    const sum = results.reduce((before, one) => before + (one.active ? one.result : 0), 0);
    this.value += sign === "-" ? -sum : sum;
  }

  private join(sign: "+" | "-", number: number, flavor: string): void {
    this.operator(sign);
    this.number(number, flavor);
  }

  private operator(operator: "+" | "-"): void {
    if (!this.terms.length && operator === "-") this.number(0, "");
    if (!this.terms.length) return;
    this.terms.push({ class: "OperatorTerm", options: {}, evaluated: true, operator });
    this.formula.push(operator);
  }

  private number(number: number, flavor: string): void {
    const named = label(flavor);
    this.terms.push({ class: "NumericTerm", options: named ? { flavor: named } : {}, evaluated: true, number });
    this.formula.push(`${number}${named && `[${named}]`}`);
  }
}

/** A flavor is in brackets in a formula and cannot contain any. */
function label(text: string): string {
  return text.replace(/[[\]]/g, "").trim();
}

function counting(parts: unknown): Modifier[] {
  return ((parts ?? []) as Modifier[]).filter((one) => !one.denied);
}

function said(fact: Fact, field: string): string {
  return String(fact[field] ?? "");
}

function amount(fact: Fact, field: string): number {
  return Number(fact[field] ?? 0);
}

/** One die roll with modifiers: attacks, checks, initiative. */
function checked(fact: Fact, thrown: Rolled | undefined, parts: unknown, total: number, flavor: string): FinishedRoll {
  const sum = new Sum();
  if (thrown) sum.throw(thrown, flavor);
  for (const one of counting(parts)) sum.add(one.value, one.source || one.kind);
  return sum.closed(total, said(fact, "why") || "the rest");
}

function damaged(fact: Fact, rolled: ReadonlyMap<string, Rolled>): FinishedRoll {
  const sum = new Sum();
  const times = Math.max(1, Number(fact["multiplier"] ?? 1));
  for (const part of (fact["dice"] ?? []) as DamagePart[]) {
    const thrown = rolled.get(part.key);
    const flavor = part.kind || part.source;
    if (thrown) sum.throw(thrown, flavor);
    if (!thrown || thrown.total !== part.total) sum.add(part.total - (thrown?.total ?? 0), part.source || flavor);
  }
  for (const one of counting(fact["modifiers"])) {
    sum.add(one.value * times, times > 1 ? `${one.source || one.kind}, ${times} times` : one.source || one.kind);
  }
  const total = amount(fact, "total");
  return sum.closed(total, total === 0 ? "at least 0" : said(fact, "why") || "the rest");
}

/** The finished rolls of an outcome from its dice; none if it has no dice. */
export function rollsOf(fact: Fact, rolled: ReadonlyMap<string, Rolled>): FinishedRoll[] {
  const thrown = rolled.get(said(fact, "key"));
  const total = amount(fact, "total");
  switch (fact.type) {
    case "attack.resolved":
    case "confirmation.resolved":
      return thrown ? [checked(fact, thrown, fact["attack"], total, said(fact, "weapon"))] : [];
    case "check.resolved":
      return thrown ? [checked(fact, thrown, fact["parts"], total, said(fact, "check"))] : [];
    case "initiative.rolled":
      return thrown ? [checked(fact, thrown, fact["parts"], total, "initiative")] : [];
    case "miss-chance.resolved":
      return thrown ? [checked(fact, thrown, [], amount(fact, "rolled"), "miss chance")] : [];
    case "injury.suffered":
      return thrown ? [checked(fact, thrown, fact["parts"], amount(fact, "entry"), said(fact, "name"))] : [];
    case "turning.resolved": {
      const more = rolled.get(said(fact, "damage_key"));
      const made = thrown ? [checked(fact, thrown, fact["parts"], total, said(fact, "kind"))] : [];
      return more ? [...made, checked(fact, more, fact["damage_parts"], amount(fact, "damage"), "Hit Dice")] : made;
    }
    case "damage.resolved":
    case "item.struck":
      return ((fact["dice"] ?? []) as DamagePart[]).length ? [damaged(fact, rolled)] : [];
    default:
      return [];
  }
}
