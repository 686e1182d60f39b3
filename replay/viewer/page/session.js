// Who reads this page: the token of the link, and what is asked of the server in its name.

import { teller } from "./told.js";

export const TOKEN = "affray-token";
const UNSENT = "affray-unsent";
const ANSWERED_WITHIN = 20_000; // milliseconds; after that an answer counts as lost
export const LONGEST_WAIT = 15_000;

/** @type {{ token: string, role: string, name: string, combatants: string[], epoch: number, position: string, busy: boolean, asked: string }} */
export const session = { token: "", role: "", name: "", combatants: [], epoch: 0, position: "", busy: false, asked: "" };

/** The server gave no answer: whether it did what was asked is not known. */
export class Lost extends Error {
  after = 0;
}

/** The server said no, in its own words. */
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

/** The token of a link, of its end, or on its own; "" for anything else. */
export function tokenOf(text) {
  const found = /(?:^|[#&]t=)([\w-]{20,200})$/.exec(text.trim());
  return found ? found[1] : "";
}

/** Take the token out of the address, where it would be seen, into the memory of this tab. */
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
    return ""; // without storage the tab forgets when it is loaded again
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

/** Ask once. Throws Lost without an answer, or one that says to try again; Denied for a no. */
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

/** Ask until there is an answer. */
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
 * Have something done once, whatever becomes of the connection: until an answer comes it is asked again under the same id.
 *
 * What is on its way is remembered: a page that is loaded anew asks on. Throws Denied.
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
        teller.note("No answer yet: it is asked again, and done once.", "wait");
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
 * Returns at once as long as nothing has come of the order: a second click is not a second order.
 */
export async function answeredIfShown() {
  while (session.busy && session.position !== session.asked) await new Promise((done) => setTimeout(done, 20));
}

/** What was on its way when the page was left, null for nothing. */
export function unsentOrder() {
  try {
    return JSON.parse(kept(UNSENT) || "null");
  } catch {
    return null;
  }
}

/** Wait; when the browser finds a network, or is looked at again, no longer. */
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
