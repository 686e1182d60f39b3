/** Types shared by the modules of the pages. Only the type check reads them; no page contains them. */

type Square = number[];

/** A combatant as frames.py shows it; hit points are null if this user may not see them. */
interface Combatant {
  id: string;
  side: string;
  size: string;
  thing: boolean;
  at: Square | null;
  space: number;
  reach: any;
  hp: number | null;
  max: number | null;
  nonlethal: number;
  temporary: number;
  held: string[];
  initiative: number | null;
  conditions: [string, string][];
  effects: string[];
  injuries: string[];
  plan: string[];
  waits: string;
  readied: string;
  threat: string[];
  pools?: [string, number, number, string][];
}

interface State {
  /** The encounter as frames.py shows it. */
  g: any;
  c: Map<string, Combatant>;
}

/** An event with its frame. */
interface LogRecord {
  stream: string;
  seq: number;
  type: string;
  version: number;
  round: number;
  turn: number;
  actor: string;
  cause: number;
  digest: string;
  salt: string;
  data: string;
  fact: any;
  text: string;
  chain: number[];
  change: { g?: any; c?: Record<string, Partial<Combatant>> } | null;
  sight: any;
  chance: number | null;
  area: Square[] | null;
  from?: any;
  hidden?: boolean;
  glimpsed?: boolean;
}

interface Mark {
  seq: number;
  round: number;
  turn: number;
  who: string;
}

/** A line of play from its first event. */
interface Line {
  name: string;
  parent: string;
  at: number;
  main: boolean;
  records: LogRecord[];
  last: number;
  marks: Mark[];
  keyframes: Map<number, State>;
  merged?: any;
  parted?: string;
  luck?: any;
}

interface FightLog {
  show: string;
  lines: Map<string, Line>;
  names: Map<string, string>;
  letters: Map<string, string>;
  rules: Map<string, any>;
  shapes: Record<string, Square[]>;
  odds: Record<string, [number, string, string][]>;
  swing: any;
  pivots: any;
  picture: { href: string; width: number; height: number } | null;
  rulebook: string;
  contributed: boolean;
  contested: any[];
  oddsAsked?: Set<string>;
  prose(text: string): string;
  [more: string]: any;
}

interface App {
  log: FightLog;
  line: Line;
  seq: number;
  pinned: string;
  looked: string;
  tab: string;
  timer: number;
  go(seq: number): void;
  step(what: string, by: number): void;
  follow(name: string, seq?: number): void;
  focus(): string;
  look(id: string): void;
  pin(id: string): void;
  play(): void;
  tick(): void;
  pause(): void;
}

interface Hooks {
  map(state: State): void;
  stand(state: State): void;
  pick(id: string): void;
  tab(name: string): void;
  headline(line: Line, seq: number): LogRecord | undefined;
  place(hash: string): string;
}
