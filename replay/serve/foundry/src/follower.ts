// Following the fight: process the feed in order and update the documents to the playhead.

import { sceneOf } from "./bonds.js";
import { Chat } from "./chat.js";
import { OUTCOMES, outcomeOf, type Readers } from "./outcomes.js";
import { Denied, Lost, pause, Server } from "./server.js";
import type { Settings } from "./settings.js";
import { Tabletop } from "./tabletop.js";
import { lineOf, seqOf, type CloudEvent, type Fact, type Names, type Rolled, type Session, type State } from "./told.js";
import { brought, worldOf, type World } from "./world.js";

const MOST_ROLLS = 1000;
const AGAIN = 2000; // milliseconds after a fault
const REBASE = "dev.affray.rebase.v1", VIEW = "dev.affray.view.v1", HELD = "dev.affray.held.v1";

/** The messages to users. */
export interface Teller {
  info(text: string): void;
  warn(text: string): void;
}

export class Follower {
  readonly server: Server;
  /** The last event that was processed. */
  position = "";
  /** The event that the world was stepped back to, null while it follows the end. */
  held: number | null = null;
  names: Record<string, string> = {};
  private source = "";
  private resume = "";
  private world: World | null = null;
  private readonly rolled = new Map<string, Rolled>();
  private waiting: CloudEvent[] = [];
  private queue: CloudEvent[] = [];
  private work: Promise<unknown> = Promise.resolve();
  private readonly ended = new AbortController();
  private table: Tabletop | null = null;
  private chat: Chat | null = null;

  constructor(readonly settings: Settings, private readonly teller: Teller) {
    this.server = new Server(settings.address, settings.token, this.ended.signal);
  }

  /** The id of the fight's encounter document, "" before the fight is known. */
  get combatId(): string {
    return this.table?.combatId ?? "";
  }

  /** Follow until `stop`. Shows a warning if following is impossible. */
  async run(): Promise<void> {
    try {
      const session = await this.server.askOn<Session>("/session");
      if (session.role !== "game master") {
        this.teller.warn("Affray: the link in the settings is not the game master's.");
        return;
      }
      const { events } = await this.server.askOn<{ events: CloudEvent[] }>("/events?limit=1");
      this.source = events[0]?.source ?? "";
      this.table = new Tabletop(this.source, this.settings, (text) => this.teller.warn(`Affray: ${text}`));
      this.chat = new Chat(this.source);
      await this.learn();
      if (!Object.keys(this.settings.bonds).length) {
        // The links decide who may read which message: post none before they are known.
        this.teller.info("Affray: first link combatants to actors, with the button at the list of turns.");
        return;
      }
      this.position = this.resume = this.table.combat?.flags.affray?.resume ?? "";
      if (this.position) this.world = await this.at(seqOf(this.position), lineOf(this.position));
      if (!sceneOf(this.settings)) this.teller.warn("Affray: no scene is active, so tokens are not moved.");
      await this.server.follow(() => this.position || "start", (event) => this.take(event), () => undefined);
    } catch (error) {
      if (this.ended.signal.aborted) return;
      if (!(error instanceof Denied)) throw error;
      this.teller.warn(`Affray: ${error.message}`);
    }
  }

  stop(): void {
    this.ended.abort();
  }

  /** Run tasks one after another: events of the feed and the user's steps. */
  private then<T>(work: () => Promise<T>): Promise<T> {
    const next = this.work.then(work);
    this.work = next.catch(() => undefined);
    return next;
  }

  private take(event: CloudEvent): void {
    if (event.type === HELD) return;
    // Record at once where a broken feed resumes, although the event is processed later.
    this.position = event.id;
    this.queue.push(event);
    if (this.queue.length > 1) return;
    this.then(() => this.batch()).catch((error: unknown) => {
      if (this.ended.signal.aborted) return;
      console.error("affray |", error);
      this.teller.warn(`Affray: could not update the world to the current fight (${error instanceof Error ? error.message : String(error)}). Trying again.`);
      this.world = null;
      setTimeout(() => void this.then(() => this.again()).catch(() => undefined), AGAIN);
    });
  }

  /** After a fault: update the documents to the feed's position, unless more events arrived since. */
  private async again(): Promise<void> {
    if (this.ended.signal.aborted || this.world || this.held !== null) return;
    this.world = await this.at(seqOf(this.position), lineOf(this.position));
    await this.show(true);
  }

  private async batch(): Promise<void> {
    const events = this.queue;
    this.queue = [];
    if (this.ended.signal.aborted) return;
    if (events.some((one) => one.data.fact?.type === "combatant.entered" || one.type === REBASE)) await this.learn();
    for (const event of events) {
      if (event.type === REBASE || event.type === VIEW) await this.rebase(event);
      else await this.bring(event);
    }
    if (this.held === null) await this.show(true);
  }

  /** Another line is the main one: drop the events after its start. */
  private async rebase(event: CloudEvent): Promise<void> {
    const { seq } = event.data;
    this.world = null;
    this.waiting = this.waiting.filter((one) => one.data.seq <= seq);
    if (this.held !== null && this.held > seq) this.held = null;
    this.resume = event.id;
    await this.chat?.cut(seq);
    this.world = await this.at(seq, lineOf(event.id));
  }

  private async bring(event: CloudEvent): Promise<void> {
    const { seq, fact, cause = seq } = event.data;
    const line = lineOf(event.id);
    if (this.world?.seq !== seq - 1 || this.world.line !== line) this.world = await this.at(seq - 1, line);
    if (this.world) this.world = brought(this.world, event);
    // A restart begins at the declaration, so that the dice of its outcomes are posted too.
    this.resume = `${line}:${Math.min(cause, seq) - 1}`;
    if (fact?.type === "rolled") this.remember(fact as unknown as Rolled);
    if (fact && OUTCOMES.has(fact.type)) this.waiting.push(event);
  }

  private remember(roll: Rolled): void {
    this.rolled.delete(roll.key);
    this.rolled.set(roll.key, roll);
    for (const key of this.rolled.keys()) {
      if (this.rolled.size <= MOST_ROLLS) break;
      this.rolled.delete(key);
    }
  }

  /** The state after an event of a line; null if it is no longer the main line, as the feed will tell next. */
  private async at(seq: number, line: string): Promise<World | null> {
    try {
      const state = await this.state(seq);
      return lineOf(state.position) === line ? worldOf(state, line) : null;
    } catch (error) {
      // The current main line may be shorter.
      if (error instanceof Denied && error.code === "bad_request") return null;
      throw error;
    }
  }

  private async learn(): Promise<void> {
    this.names = (await this.server.askOn<Names>("/names")).names;
  }

  /** Update the documents to the playhead. */
  private async show(forward: boolean, back: World | null = null): Promise<void> {
    const world = back ?? this.world;
    if (!world || !this.table || !this.chat) return;
    const { hidden } = await this.server.askOn<Session>("/session");
    const around = {
      position: `${world.line}:${world.seq}`, resume: this.resume || `${world.line}:${world.seq}`,
      hidden: new Set(hidden), names: this.names, forward,
    };
    const due = this.waiting.filter((one) => one.data.seq <= world.seq);
    const readers = this.readers(world, around.hidden);
    const outcomes = due.map((one) => outcomeOf(one, one.data.fact as Fact, this.rolled, readers, this.settings.address));
    await this.table.show(world, around);
    await this.chat.tell(outcomes);
    await this.chat.stand(world.seq);
    this.waiting = this.waiting.filter((one) => one.data.seq > world.seq);
  }

  private readers(world: World, hidden: ReadonlySet<string>): Readers {
    const table = this.table!;
    const open = new Set<string>();
    for (const [id, one] of world.combatants) if (table.actorOf(id)?.hasPlayerOwner) open.add(one.side);
    const masters = game.users?.filter((one) => one.isGM).map((one) => one.id ?? "") ?? [];
    const everything = this.settings.numbers === "all";
    return { masters, hidden, name: (id) => this.names[id] ?? id, open: (id) => everything || open.has(world.combatants.get(id)?.side ?? "") };
  }

  /** Step to a position of the main line (17, r3, r3.t2), or to its live end. Throws Denied, Lost. */
  async seek(at: string | number): Promise<number> {
    for (let left = 50; left; left--) {
      const stood = await this.then(() => this.stand(at));
      if (stood !== null) return stood;
      await pause(100); // the main line has changed: the feed will tell of it soon
    }
    throw new Lost("the server and its feed disagree about the main line");
  }

  private async stand(at: string | number): Promise<number | null> {
    const state = await this.state(at);
    const line = lineOf(state.position);
    if (!this.world || line !== this.world.line) return null;
    this.held = state.seq < this.world.seq ? state.seq : null;
    await this.show(false, this.held === null ? null : worldOf(state, line));
    return this.held ?? this.world.seq;
  }

  /** Return to the live end. */
  async live(): Promise<void> {
    await this.then(async () => {
      this.held = null;
      await this.show(false);
    });
  }

  /** Step to the beginning of the previous or next turn; after the last turn comes the live end. */
  async turn(direction: 1 | -1): Promise<void> {
    if (direction > 0 && this.held === null) {
      this.teller.info("Affray: this is the current turn; end it in Affray.");
      return;
    }
    const { encounter: { round, turn, active } } = await this.state(this.held ?? "end");
    const places = direction > 0 ? [`r${round}.t${turn + 1}`, `r${round + 1}.t1`, "end"] : await this.before(round, active ? turn - 1 : turn);
    for (const place of places) {
      try {
        await this.seek(place);
        return;
      } catch (error) {
        if (!(error instanceof Denied)) throw error;
      }
    }
  }

  /** The start of a turn of a round; of the previous turn if there is none with that number. */
  private async before(round: number, turn: number): Promise<(string | number)[]> {
    if (turn > 0) return [`r${round}.t${turn}`];
    if (round < 1) return [0];
    const { seq } = await this.state(`r${round}`);
    const { encounter: last } = await this.state(Math.max(0, seq - 1));
    return last.turn > 0 ? [`r${last.round}.t${last.turn}`, seq - 1] : [Math.max(0, seq - 1)];
  }

  private state(at: string | number): Promise<State> {
    return this.server.askOn<State>(`/state?at=${encodeURIComponent(String(at))}`);
  }

  /** Wait until all tasks so far are done. */
  async settled(): Promise<void> {
    while (this.queue.length) await this.then(async () => undefined);
    await this.then(async () => undefined);
  }
}
