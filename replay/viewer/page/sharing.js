// Invitations: guests at the table and their links; only the game master sees them.

import { isMaster, stateNow } from "./acting.js";
import { asked } from "./asked.js";
import { field, openDialog } from "./dialogs.js";
import { byId, h, nameOf, visible } from "./dom.js";
import { capital } from "./log.js";
import { ask, askOn, Denied, Lost, session } from "./session.js";
import { teller } from "./told.js";

export const ROLE_WORDS = { "game master": "Game master", player: "Player", onlooker: "Onlooker" };

export async function openGuests() {
  if (!isMaster()) return;
  try {
    drawGuests(await askOn("/invitations"));
  } catch (error) {
    if (!(error instanceof Denied)) throw error;
    teller.note(capital(error.message), "refused", "bad");
  }
}

/** Learn which combatants belong to players: the game master is not asked their questions. */
function knowPlayers(guests) {
  asked.players = new Set(guests.filter((one) => one.role === "player").flatMap((one) => one.combatants));
}

export async function askPlayers() {
  try {
    if (isMaster()) knowPlayers((await ask("/invitations")).guests);
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
  }
}

function drawGuests({ guests, hidden = [] }) {
  knowPlayers(guests);
  const list = h("ul", { class: "guest-list" }, guests.map(guestRow));
  openDialog("guests", "Guests", [
    h("p", { class: "quiet" }, "A link gives its role to its holder: give each to one person."),
    list, inviteForm(), hidingForm(hidden), h("p", { id: "guests-told", role: "alert" }),
  ]);
}

function guestRow(guest) {
  const who = guest.combatants?.length ? `: ${guest.combatants.map(nameOf).join(", ")}` : "";
  const said = `${ROLE_WORDS[guest.role] ?? guest.role}${who}`;
  const link = h("input", { readonly: true, value: guest.link, "aria-label": `Link for ${guest.name || said}`, onfocus: (event) => event.target.select() });
  const copy = h("button", { type: "button", onclick: () => copyGuest(link, copy) }, "Copy link");
  const code = h("details", null, h("summary", null, "QR code"), codePicture(guest));
  const mine = guest.token === session.token;
  return h("li", null,
    h("div", null, h("strong", null, guest.name || said), guest.name && h("span", { class: "quiet" }, ` ${said}`), mine && h("span", { class: "chip" }, "this is you")),
    h("div", { class: "actions" }, link, copy, !mine && h("button", { type: "button", onclick: () => withdraw(guest) }, "Withdraw")),
    guest.qr && code);
}

/** The code as a picture: the server's drawing is never inserted into the page. */
function codePicture({ qr, role }) {
  const bytes = new TextEncoder().encode(qr ?? "");
  return h("img", { class: "qr", alt: `QR code of the link for this ${role}`, src: `data:image/svg+xml;base64,${btoa(String.fromCharCode(...bytes))}` });
}

async function copyGuest(link, button) {
  try {
    await navigator.clipboard.writeText(link.value);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy link"; }, 1500);
  } catch {
    link.focus(); // selected for manual copying
  }
}

function inviteForm() {
  const role = h("select", { id: "invite-role", onchange: () => { whose.hidden = role.value !== "player"; } }, Object.entries(ROLE_WORDS).map(([value, text]) => h("option", { value, selected: value === "player" }, text)));
  const name = h("input", { id: "invite-name", autocomplete: "off", maxlength: 60, placeholder: "Ada" });
  const people = [...stateNow().c.values()].filter((one) => !one.thing);
  const whose = h("fieldset", null, h("legend", null, "Plays"), people.map((one) => h("label", { class: "own-dice" }, h("input", { type: "checkbox", name: "combatant", value: one.id }), ` ${nameOf(one.id)}`)));
  const send = async (event) => {
    event.preventDefault();
    const combatants = role.value === "player" ? [...whose.querySelectorAll("input:checked")].map((one) => one.value) : [];
    await changeGuests("/invitations", { role: role.value, combatants, name: name.value.trim() });
  };
  return h("form", { class: "settle-form invite", onsubmit: send }, h("h3", null, "Invite"), field("Name", name), field("Role", role), whose, h("button", { type: "submit", class: "main" }, "Invite"));
}

/** Combatants that only the game master sees. */
function hidingForm(hidden) {
  const people = [...stateNow().c.keys()];
  if (!people.length) return null;
  const box = (id) => h("input", { type: "checkbox", name: "hidden", value: id, checked: hidden.includes(id), onchange: (event) => changeGuests("/hidden", { combatant: id, hidden: event.target.checked }) });
  return h("fieldset", { class: "hiding" }, h("legend", null, "Hidden from players"), people.map((id) => h("label", { class: "own-dice" }, box(id), ` ${nameOf(id)}`)));
}

function withdraw(guest) {
  return changeGuests("/invitations/withdraw", { token: guest.token });
}

async function changeGuests(path, body) {
  try {
    drawGuests(await ask(path, { body }));
  } catch (error) {
    if (!(error instanceof Denied || error instanceof Lost)) throw error;
    byId("guests-told").textContent = visible(error instanceof Lost ? "No answer: check whether it was done." : capital(error.message));
    if (error instanceof Lost) setTimeout(() => byId("guests").open && openGuests(), 1500);
  }
}
