// The checker as a separate page: it has no log until one is chosen or dropped.

import { checkFile, drawCheck } from "./checking.js";
import { byId, h } from "./dom.js";

function main() {
  drawCheck(byId("check"), h("h1", { id: "check-title" }, "Check a log of Affray"));
  // Accept files next to the panel too: otherwise the browser would open them.
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (event.dataTransfer?.files[0]) checkFile(event.dataTransfer.files[0]);
  });
  document.documentElement.dataset.ready = "yes";
}

main();
