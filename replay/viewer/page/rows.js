// The rows of an exported log or a players' copy, read unchanged: the same rows are checked and shown.

import { GENESIS } from "./chain.js";
import { hex } from "./sha256.js";

const TEXT = '"((?:[^"\\\\]|\\\\.)*)"', COUNT = "(0|[1-9]\\d{0,15})";
const EVENT_ROW = new RegExp(`^\\{"stream":${TEXT},"seq":${COUNT},"type":${TEXT},"version":${COUNT},"round":${COUNT},"turn":${COUNT},"actor":${TEXT},"cause":${COUNT},"digest":"([0-9a-f]{64})","data":`);
const SALT_END = /,"salt":"([0-9a-f]{32})"$/;
export const COPY_FORMAT = "affray-redacted";
const LOG_FORMAT = "affray-log", NEWEST_FORMAT = 2;
// Split in two: otherwise a browser would see script tags inside this script.
const LOG_SCRIPT = '\n<' + 'script type="application/x-ndjson" id="log">\n', SCRIPT_END = "<" + "/script>";

/** The text inside a script element of a page, with its transport escaping undone. */
export function unescaped(text) {
  return text.replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

/** The log in a saved page; the text itself if it is not a page. */
export function carriedLog(text) {
  const from = text.indexOf(LOG_SCRIPT);
  if (from < 0 || text.startsWith("{")) return text;
  const start = from + LOG_SCRIPT.length;
  const end = text.indexOf(SCRIPT_END, start);
  return unescaped(text.slice(start, end < 0 ? undefined : end));
}

/** The event of a row, `data` and `fact` being the same bytes; throws an error for any other row. */
function eventOf(row) {
  const found = EVENT_ROW.exec(row);
  if (!found || !row.endsWith("}")) throw new Error("it is not an event in Affray's form");
  const [head, stream, seq, type, version, round, turn, actor, cause, digest] = found;
  let data = row.slice(head.length, -1);
  const salted = SALT_END.exec(data.slice(-43));
  if (salted) data = data.slice(0, -salted[0].length);
  const fact = JSON.parse(data);
  if (!fact || typeof fact !== "object") throw new Error("its data is not a fact");
  return {
    stream: plain(stream), seq: Number(seq), type: plain(type), version: Number(version), round: Number(round), turn: Number(turn),
    actor: plain(actor), cause: Number(cause), digest, salt: salted ? salted[1] : "", data, fact,
  };
}

function plain(text) {
  return text.includes("\\") ? JSON.parse(`"${text}"`) : text;
}

/** A hidden event of a players' copy: its position and digest. */
function hiddenOf(row) {
  const { seq, digest } = JSON.parse(row);
  if (!Number.isSafeInteger(seq) || !/^[0-9a-f]{64}$/.test(digest)) throw new Error("it is neither a shown nor a hidden event");
  return { hidden: true, stream: "", seq, digest };
}

/**
 * The contents of a text: { format, version, branches, events, end, problem }.
 *
 * `problem` names the first unreadable row; earlier rows are read. In a players' copy `branches` is its only line.
 */
export function readRows(text) {
  /** @type {{ text: string, format: string, version: number, branches: any[], events: any[], end: any, problem: string, seal?: string }} */
  const file = { text, format: "", version: 0, branches: [], events: [], end: null, problem: "" };
  const rows = text.split("\n");
  let at = 0;
  try {
    const header = JSON.parse(rows[0]);
    file.format = header.format;
    file.version = header.version;
    if (![LOG_FORMAT, COPY_FORMAT].includes(header.format)) throw new Error("it is not a log that Affray exported");
    if (!(header.version <= NEWEST_FORMAT)) throw new Error("it was written by a newer Affray");
    file.seal = header.seal ?? "";
    file.branches = file.format === LOG_FORMAT ? header.branches.map(branchOf) : [{ name: String(header.branch), parent: "", at: 0, digest: hex(GENESIS) }];
    for (at = 1; rows[at] && !rows[at].startsWith('{"events"'); at++) {
      const shown = file.format === LOG_FORMAT || rows[at].includes('"data":');
      file.events.push(Object.assign(shown ? eventOf(rows[at]) : hiddenOf(rows[at]), { index: at }));
    }
    if (!rows[at]) throw new Error("the log ends without its last line");
    file.end = { ...JSON.parse(rows[at]), from: rows[at].length + 1 };
    if (rows.length !== at + 2 || rows[at + 1]) throw new Error("there is text after the end of the log");
  } catch (error) {
    const place = /^\{"stream":"([\w.-]+)","seq":(\d+)/.exec(rows[at] ?? "");
    const where = place ? `${place[1]}#${place[2]}` : `line ${at + 1}`;
    file.problem = `${where}: ${error instanceof SyntaxError || error instanceof TypeError ? "it cannot be read" : error.message}`;
  }
  return file;
}

function branchOf({ name, parent, at, digest }) {
  const good = typeof name === "string" && typeof parent === "string" && Number.isSafeInteger(at) && at >= 0 && /^[0-9a-f]{64}$/.test(digest);
  if (!good) throw new Error("a branch is malformed");
  return { name, parent, at, digest };
}
