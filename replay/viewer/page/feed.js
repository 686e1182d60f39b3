// The feed: server-sent events from a stream, resumed where it broke.

import { Denied, LONGEST_WAIT, Lost, pause, session } from "./session.js";

const SILENCE = 45_000; // the server sends data every few seconds: after this time the connection is dead

/** Read the events of a stream of bytes: { id, type, data }, `data` as text. `heard` is called for any data. */
async function* streamed(body, heard) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "", id = "", type = "", data = /** @type {string[]} */ ([]);
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard();
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line) {
        if (data.length) yield { id, type: type || "message", data: data.join("\n") };
        [type, data] = ["", []];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const text = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "id") id = text;
      else if (field === "event") type = text;
      else if (field === "data") data.push(text);
    }
  }
}

/**
 * Follow the feed from a position, forever; `take(event)` gets each CloudEvent with its position.
 *
 * `state(word, text)` gets the state of the connection. `refused(error)` is called when the server refuses: it
 * returns the position to go on from, "" to stop.
 */
export async function followFeed(position, { take, state, refused }) {
  let wait = 500;
  while (position) {
    const stop = new AbortController();
    // A browser may keep a closed page alive, and with it one of its few connections to a server.
    const leave = () => stop.abort();
    addEventListener("pagehide", leave);
    let timer = 0;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE);
    };
    let after = 0;
    try {
      heard();
      const headers = { authorization: `Bearer ${session.token}`, accept: "text/event-stream", "last-event-id": position };
      const response = await fetch("/feed?frames=1", { headers, cache: "no-store", signal: stop.signal });
      if (!response.ok) {
        after = Number(response.headers.get("retry-after")) * 1000 || 0;
        if (response.status < 500 && response.status !== 429) {
          const { error, position: now } = await response.json().catch(() => ({}));
          position = await refused(new Denied(response.status, error, now));
          continue;
        }
        throw new Lost(`the feed answered ${response.status}`);
      }
      state("live", "Live");
      for await (const { id, data } of streamed(response.body, heard)) {
        wait = 500;
        const event = JSON.parse(data);
        position = (await take({ ...event, id: id || event.id })) || id || position;
      }
    } catch (error) {
      if (!(error instanceof Lost || error instanceof TypeError || error.name === "AbortError")) console.error(error);
    } finally {
      clearTimeout(timer);
      removeEventListener("pagehide", leave);
      stop.abort();
    }
    state("lost", "No connection");
    await pause(after || wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, LONGEST_WAIT);
  }
}
