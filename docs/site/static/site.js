// Formulas and diagrams, shown by scripts that this site serves itself.

const SCRIPTS = new URL(".", document.currentScript.src);

function showFormulas() {
  for (const formula of document.querySelectorAll(".math")) {
    const displayMode = formula.tagName === "DIV";
    katex.render(formula.textContent, formula, { displayMode });
    if (!displayMode) joinPunctuation(formula);
  }
}

/** Keep what follows a formula without a space, such as a comma, on its line. */
function joinPunctuation(formula) {
  const text = formula.nextSibling;
  const mark = text?.nodeType === Node.TEXT_NODE && text.data.match(/^\S+/)?.[0];
  if (!mark) return;
  text.data = text.data.slice(mark.length);
  const joined = document.createElement("span");
  joined.className = "formula-and-mark";
  formula.replaceWith(joined);
  joined.append(formula, mark);
}

function load(script) {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    Object.assign(element, { src: new URL(script, SCRIPTS), onload: resolve, onerror: reject });
    document.head.append(element);
  });
}

function configure() {
  mermaid.initialize({
    startOnLoad: false,
    theme: document.documentElement.dataset.theme === "dark" ? "dark" : "neutral",
    fontFamily: "inherit",
    flowchart: { nodeSpacing: 20, rankSpacing: 32 },
  });
}

async function draw(source, diagram, id) {
  const { svg } = await mermaid.render(id, source);
  diagram.className = "diagram";
  diagram.tabIndex = 0; // so that keys scroll it
  diagram.innerHTML = svg;
  const drawing = diagram.firstElementChild;
  drawing.style.minWidth = `calc(0.6 * ${drawing.style.maxWidth})`; // smaller is not legible
  diagram.scrollLeft = (diagram.scrollWidth - diagram.clientWidth) / 2;
}

/** Draw the diagrams of the page, and again whenever its theme changes. */
async function showDiagrams() {
  const diagrams = [...document.querySelectorAll(".highlight-mermaid")];
  if (!diagrams.length) return;
  await load("mermaid.tiny.js");
  const sources = diagrams.map(diagram => diagram.textContent);
  const drawAll = async () => {
    configure();
    for (const [number, diagram] of diagrams.entries()) {
      await draw(sources[number], diagram, `diagram${number}`);
    }
  };
  await drawAll();
  const observer = new MutationObserver(drawAll);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
}

// Without a server, the search cannot read the pages for summaries of its results.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
if (window.katex) showFormulas();
showDiagrams();
