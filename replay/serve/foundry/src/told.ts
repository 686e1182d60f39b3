// The server's data: states, events of the feed, and the few facts that are read here.

/** The visible part of the encounter itself. */
export interface Encounter {
  order: string[];
  turn: number;
  round: number;
  active: string;
  begun: boolean;
  closed: string;
}

/** The visible part of a combatant. `at` is the square of its upper left corner, null off the map. */
export interface Combatant {
  side: string;
  thing: boolean;
  at: [number, number] | null;
  space: number;
  hp: number | null;
  nonlethal: number | null;
  temporary: number | null;
  initiative: number | null;
  conditions: [string, string][];
  /** Limited resources as far as they are left: name, amount, of how much, unit. */
  pools?: [string, number, number, string][];
  counters?: Record<string, number>;
}

/** Where a game system keeps what is not hit points, by the names of the rulebook: paths under `system`. */
export interface FoundryPaths {
  system: string;
  counters: Record<string, string>;
  /** Paths of the levels of conditions. */
  conditions: Record<string, string>;
  /** Paths of what is left of resources. */
  pools: Record<string, string>;
}

/** `GET /state`. */
export interface State {
  position: string;
  seq: number;
  head: number;
  encounter: Encounter;
  combatants: Record<string, Combatant>;
  foundry: FoundryPaths | null;
}

/** `GET /session`. */
export interface Session {
  role: string;
  position: string;
  title: string;
  hidden: string[];
}

/** The fields that an event changed. */
export interface Change {
  g?: Partial<Encounter>;
  c?: Record<string, Partial<Combatant>>;
}

export interface Modifier {
  value: number;
  kind: string;
  source: string;
  denied: string;
}

export interface Rolled {
  type: "rolled";
  key: string;
  notation: string;
  faces: number[];
  total: number;
  dropped: number[];
  rerolled: number[];
  exploded: number[];
}

export interface DamagePart {
  key: string;
  total: number;
  kind: string;
  source: string;
}

/** A fact of the log: its type, and fields that depend on it. */
export interface Fact {
  type: string;
  [field: string]: unknown;
}

/** One event of the feed. A rebase and a view have no fact. */
export interface CloudEvent {
  id: string;
  source: string;
  type: string;
  data: {
    branch: string;
    epoch: number;
    seq: number;
    cause?: number;
    text?: string;
    fact?: Fact;
    digest?: string;
    frame?: [text: string, chain?: number[], change?: Change | null];
  };
}

/** The answer to a declaration. */
export interface Done {
  position: string;
  refused: { reason: string; rule: string } | null;
  question: { name: string; question: string } | null;
}

/** `GET /legal/ID`, only the fields read here. */
export interface Legal {
  ways: { to: [number, number]; path: [number, number][] }[];
}

/** `GET /names`, only the fields read here. */
export interface Names {
  names: Record<string, string>;
}

/** The event number of a position. */
export function seqOf(position: string): number {
  return Number(position.slice(position.lastIndexOf(":") + 1));
}

/** The main line and its change count: the part before the last colon of a position. */
export function lineOf(position: string): string {
  return position.slice(0, position.lastIndexOf(":"));
}
