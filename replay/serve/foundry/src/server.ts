// The server: requests, and its feed, resumed where it broke.

import type { CloudEvent } from "./told.js";

const SILENCE = 45_000; // the server sends data every few seconds: after this time the connection is dead
const LONGEST_WAIT = 15_000;

/** The server gave no answer, or asked to try again. */
export class Lost extends Error {
  constructor(message: string, readonly after = 0) {
    super(message);
  }
}

/** The server refused, with its message. */
export class Denied extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly position: string) {
    super(message);
  }
}

export class Server {
  /** Sends requests to an address with a token, until `ended`. */
  constructor(readonly address: string, private readonly token: string, private readonly ended: AbortSignal) {}

  /** Send a request once. Throws Lost and Denied. */
  async ask<T>(path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    let response: Response, found: unknown;
    try {
      response = await fetch(`${this.address}${path}`, {
        method: body === undefined ? "GET" : "POST", headers, cache: "no-store", credentials: "omit", signal: this.ended,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      found = await response.json();
    } catch (error) {
      throw new Lost(error instanceof Error ? error.message : String(error));
    }
    if (response.ok) return found as T;
    throw refusal(response, found);
  }

  /** Send a request until there is an answer. Throws Denied, and Lost once it has ended. */
  async askOn<T>(path: string, body?: unknown): Promise<T> {
    for (let wait = 500; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        return await this.ask<T>(path, body);
      } catch (error) {
        if (!(error instanceof Lost) || this.ended.aborted) throw error;
        await pause(error.after || wait);
      }
    }
  }

  /**
   * Follow the feed until it has ended: `take` gets each event, and `after()` returns the position to resume from.
   *
   * `state` gets whether there is a connection. Throws Denied.
   */
  async follow(after: () => string, take: (event: CloudEvent) => void, state: (live: boolean) => void): Promise<void> {
    const stop = this.ended;
    for (let wait = 500; !stop.aborted; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      const broken = new AbortController();
      const end = () => broken.abort();
      stop.addEventListener("abort", end);
      let timer: ReturnType<typeof setTimeout> | undefined;
      const heard = () => {
        clearTimeout(timer);
        timer = setTimeout(end, SILENCE);
      };
      let longer = 0;
      try {
        heard();
        const headers = { authorization: `Bearer ${this.token}`, accept: "text/event-stream" };
        const path = `/feed?frames=1&after=${encodeURIComponent(after())}`;
        const response = await fetch(`${this.address}${path}`, { headers, cache: "no-store", credentials: "omit", signal: broken.signal });
        if (!response.ok || !response.body) throw refusal(response, await response.json().catch(() => null));
        state(true);
        for await (const data of streamed(response.body, heard)) {
          wait = 500;
          take(JSON.parse(data) as CloudEvent);
        }
      } catch (error) {
        if (error instanceof Denied) throw error;
        if (error instanceof Lost) longer = error.after;
        else if (!stop.aborted && !(error instanceof TypeError) && !broken.signal.aborted) console.error("affray |", error);
      } finally {
        clearTimeout(timer);
        stop.removeEventListener("abort", end);
        broken.abort();
      }
      if (stop.aborted) return;
      state(false);
      await pause(longer || wait * (0.75 + Math.random() / 2));
    }
  }
}

function refusal(response: Response, found: unknown): Lost | Denied {
  const told = found as { error?: { code?: string; message?: string }; position?: string } | null;
  const { code = "", message = `the server answered ${response.status}` } = told?.error ?? {};
  const after = 1000 * Number(response.headers.get("retry-after") ?? 0) || 0;
  if (response.status >= 500 || response.status === 429) return new Lost(message, after);
  return new Denied(response.status, code, message, told?.position ?? "");
}

/** Read the data of each event of a stream. `heard` is called for any data. */
async function* streamed(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "", data: string[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard();
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      else if (!line && data.length) {
        yield data.join("\n");
        data = [];
      }
    }
  }
}

export function pause(time: number): Promise<void> {
  return new Promise((done) => setTimeout(done, time));
}
