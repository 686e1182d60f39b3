// What a page shows: a log, one of its lines of play, an event of that; who is picked and pointed at.

export const app = { log: null, line: null, seq: 0, pinned: "", looked: "", tab: "why", timer: 0 };
