// The user of this page: the token of the link, and the requests to the server with it.

import { teller } from "./told.js";

export const TOKEN = "affray-token";
const UNSENT = "affray-unsent";
const ANSWERED_WITHIN = 20_000; // milliseconds; after that an answer counts as lost
export const LONGEST_WAIT = 15_000;

/** @type {{ token: string, role: string, name: string, combatants: string[], epoch: number, position: string, busy: boolean, asked: string }} */
export const session = { token: "", role: "", name: "", combatants: [], epoch: 0, position: "", busy: false, asked: "" };

/** The server gave no answer: it is unknown whether the request was done. */
export class Lost extends Error {
  after = 0;
}

/** The server refused, with its message. */
export class Denied extends Error {
  constructor(status, { code = "", message = "", rule = "" } = {}, position = "", after = 0) {
    super(message || `the server answered ${status}`);
    this.status = status;
    this.code = code;
    this.rule = rule;
    this.position = position;
    this.after = after;
  }
}

/** The token in a link, in a link's end, or alone; "" for any other text. */
export function tokenOf(text) {
  const found = /(?:^|[#&]t=)([\w-]{20,200})$/.exec(text.trim());
  return found ? found[1] : "";
}

/** Move the token from the address, where it is visible, into the storage of this tab. */
export function takeToken() {
  const given = location.hash.startsWith("#t=") ? tokenOf(location.hash) : "";
  if (given) {
    keep(TOKEN, given);
    history.replaceState(null, "", location.pathname);
  }
  session.token = given || kept(TOKEN);
  return session.token;
}

export function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return ""; // without storage a reload forgets the token
  }
}

export function keep(name, text) {
  try {
    if (text) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
  } catch {
    // As above.
  }
}

/** Send a request once. Throws Lost if there is no answer or it asks to try again, Denied if refused. */
export async function ask(path, /** @type {{ body?: object, signal?: AbortSignal }} */ { body, signal } = {}) {
  const headers = { authorization: `Bearer ${session.token}` };
  if (body) headers["content-type"] = "application/json";
  let response, found;
  try {
    response = await fetch(path, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), cache: "no-store", signal: signal ?? AbortSignal.timeout(ANSWERED_WITHIN) });
    found = await response.json();
  } catch (error) {
    if (!response || response.ok || response.status >= 500) throw new Lost(error.message);
    found = {};
  }
  if (response.ok) return found;
  const after = Number(response.headers.get("retry-after")) * 1000 || 0;
  const denied = new Denied(response.status, found.error, found.position ?? found.error?.position ?? "", after);
  throw response.status >= 500 || response.status === 429 ? Object.assign(new Lost(denied.message), { after, denied }) : denied;
}

/** Send a request until there is an answer. */
export async function askOn(path) {
  for (let wait = 500; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      return await ask(path);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      teller.wire("lost", "No connection");
      await pause(error.after || wait);
    }
  }
}

function newRequest() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Have an order done exactly once: it is sent under the same id until an answer comes.
 *
 * A pending order is stored: a reloaded page sends it again. Throws Denied.
 */
export async function order(path, what, expected = session.position) {
  if (session.busy) return null;
  return carry({ path, body: { ...what, expected, request: newRequest() } });
}

export async function carry(unsent) {
  session.busy = true;
  session.asked = unsent.body.expected;
  document.documentElement.dataset.busy = "yes";
  keep(UNSENT, JSON.stringify(unsent));
  try {
    for (let wait = 400; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        return await ask(unsent.path, { body: unsent.body });
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        teller.note("No answer yet: trying again. It will be done only once.", "wait");
        await pause(error.after || wait);
      }
    }
  } finally {
    keep(UNSENT, "");
    session.busy = false;
    delete document.documentElement.dataset.busy;
    teller.note("", "wait");
  }
}

/**
 * Wait for the answer to an order whose result the feed has already shown.
 *
 * Returns at once while the order has no result: a second click is not a second order.
 */
export async function answeredIfShown() {
  while (session.busy && session.position !== session.asked) await new Promise((done) => setTimeout(done, 20));
}

/** The order that was pending when the page was closed, null for none. */
export function unsentOrder() {
  try {
    return JSON.parse(kept(UNSENT) || "null");
  } catch {
    return null;
  }
}

/** Wait, but no longer than until the browser is online or visible again. */
export function pause(time) {
  return new Promise((/** @type {(value?: any) => void} */ done) => {
    const wake = () => {
      clearTimeout(timer);
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", seen);
      done();
    };
    const seen = () => document.visibilityState === "visible" && wake();
    const timer = setTimeout(wake, time);
    addEventListener("online", wake);
    document.addEventListener("visibilitychange", seen);
  });
}
