// The messages of the outcomes: each is made once, and struck out while its event is not on the main line.

import { messageId, redrawn, type Outcome, type Remembered } from "./outcomes.js";

export class Chat {
  constructor(private readonly source: string) {}

  /** Post outcomes that are not posted yet; unmark posted ones that are valid again. */
  async tell(outcomes: readonly Outcome[]): Promise<void> {
    const known = outcomes.filter((one) => game.messages?.get(one._id));
    const fresh = outcomes.filter((one) => !game.messages?.get(one._id));
    if (fresh.length) await ChatMessage.createDocuments(fresh as unknown as ChatMessage.CreateData[], { keepId: true });
    await this.change(known.map((one) => [one._id, { ...one.flags.affray, gone: true }]));
  }

  /** Whether an outcome was posted before. */
  has(digest: string): boolean {
    return game.messages?.get(messageId(this.source, digest)) !== undefined;
  }

  /** Mark outcomes after event `seq` as no longer on the main line. */
  async cut(seq: number): Promise<void> {
    await this.change(this.all().filter(([, one]) => one.seq > seq && !one.off).map(([id, one]) => [id, { ...one, off: true, gone: true }]));
  }

  /** Show the state at event `seq`: strike out later outcomes, and show earlier ones normally. */
  async stand(seq: number): Promise<void> {
    const wrong = this.all().filter(([, one]) => one.gone !== (one.off || one.seq > seq));
    await this.change(wrong.map(([id, one]) => [id, { ...one, gone: !one.gone }]));
  }

  private all(): [string, Remembered][] {
    const found: [string, Remembered][] = [];
    for (const message of game.messages ?? []) {
      const kept = message.flags.affray;
      if (message.id && kept?.source === this.source) found.push([message.id, kept as Remembered]);
    }
    return found;
  }

  private async change(changes: readonly [string, Remembered][]): Promise<void> {
    const updates = [];
    for (const [_id, affray] of changes) {
      const message = game.messages?.get(_id);
      const before = message?.flags.affray;
      if (!message || !before || (before.gone === affray.gone && before.off === affray.off && before.seq === affray.seq)) continue;
      updates.push({ _id, content: redrawn(message.content, affray.gone), flags: { affray } });
    }
    if (updates.length) await ChatMessage.updateDocuments(updates);
  }
}
