// Buttons at the list of turns: to step through the fight, and to link combatants to actors.

import type { Api } from "./main.js";

/** Put the buttons at the head of the list of turns, once. `held` is the event that the fight was stepped back to. */
export function controls(tracker: HTMLElement | object, api: Api, held: number | null): void {
  if (!(tracker instanceof HTMLElement) || tracker.querySelector(".affray-controls")) return;
  const row = document.createElement("nav");
  row.className = "affray-controls";
  const button = (icon: string, label: string, action: () => Promise<unknown>) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `inline-control icon fa-solid ${icon}`;
    made.ariaLabel = made.title = game.i18n?.localize(label) ?? label;
    made.addEventListener("click", () => void action().catch((error: unknown) => ui.notifications?.warn(String(error))));
    row.append(made);
  };
  button("fa-backward-step", "AFFRAY.Back", () => api.turn(-1));
  button("fa-forward-step", "AFFRAY.Forth", () => api.turn(1));
  button("fa-tower-broadcast", held === null ? "AFFRAY.Live" : "AFFRAY.GoLive", () => api.live());
  button("fa-link", "AFFRAY.Bonds", () => api.ask());
  tracker.prepend(row);
}
