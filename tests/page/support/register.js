// Resolves the modules of the page as the arena serves them, and packages from build/web.
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const PROJECT = new URL("../../../", import.meta.url);
const PAGE = new URL("arena/web/", PROJECT);
const PACKAGES = pathToFileURL(`${import.meta.dirname}/../../../build/web/package.json`).href;

/** Return the file behind a path of the page. */
function served(path) {
  const board = /^\/boards\/([a-z0-9_]+)\/(.+)$/.exec(path);
  return board ? new URL(`core/${board[1]}/web/${board[2]}`, PROJECT) : new URL(`.${path}`, PAGE);
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith("/")) return next(served(specifier).href, context);
    if (/^[a-z@]/.test(specifier) && !/^(node|file|data):/.test(specifier)) {
      return next(specifier, { ...context, parentURL: PACKAGES });
    }
    return next(specifier, context);
  },
  load: (url, context, next) =>
    // No package.json says that these files are modules.
    next(
      url,
      url.startsWith(PROJECT) && !url.includes("/node_modules/")
        ? { ...context, format: "module" }
        : context,
    ),
});

// Modules of the page extend and use classes of the document as soon as they are loaded.
await import("./page.js");
