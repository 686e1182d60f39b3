// The checker as a page of its own: it has no log until one is chosen or dropped.

import { checkFile, drawCheck } from "./checking.js";
import { byId, h } from "./dom.js";

function main() {
  drawCheck(byId("check"), h("h1", { id: "check-title" }, "Check a log of Affray"));
  // Next to the panel as well: a file that is dropped there would be opened by the browser instead.
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (event.dataTransfer?.files[0]) checkFile(event.dataTransfer.files[0]);
  });
  document.documentElement.dataset.ready = "yes";
}

main();
