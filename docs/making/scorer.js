// How the site's search ranks what it has found: by how many of the typed words a page has in its name. Sphinx by
// itself takes the best of the words alone, so that "decided the fight" is no nearer to the page of that title than
// to any other with "fight" in it. What is seldom meant, though nearly every word stands in it, comes last. Sphinx
// puts this file into its own script (html_search_scorer in conf.py).
var Scorer = {
  score: ([page, title, anchor, , score]) => {
    const typed = document.querySelector('input[name="q"]')?.value.toLowerCase().match(/[a-z]{3,}/g) ?? [];
    const name = `${title} ${anchor ? "" : page}`.toLowerCase();
    const beginnings = new Set(typed.map((word) => word.slice(0, Math.max(4, word.length - 3))));
    const seldom = ["project/changes", "OGL", "reference/schemas"].includes(page) ? -30 : 0;
    return score + seldom + 6 * [...beginnings].filter((one) => name.includes(one)).length;
  },
  // The rest is as Sphinx has it.
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
