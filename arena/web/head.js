// What cannot wait for the modules of the page; a classic script, as those are deferred.

// The stored theme, before the first paint.
try {
  const theme = localStorage.getItem("theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the theme is that of the system.
}

// The modules of the view that the address names, and the style sheet of its board: the arena lists
// them, so that none of them is asked for only once the one that imports it is there.
{
  const modules = JSON.parse(document.getElementById("modules")?.textContent ?? "{}");
  const address = location.hash || location.pathname;
  const [view] = address.replace(/^#?\/?/, "").split(/[/?]/);
  for (const href of Object.hasOwn(modules, view) ? modules[view] : []) {
    const rel = href.endsWith(".css") ? "stylesheet" : "modulepreload";
    document.head.append(Object.assign(document.createElement("link"), { rel, href }));
  }
}
