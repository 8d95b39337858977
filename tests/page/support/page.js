// A document for the modules of the page: happy-dom's, as globals of this process.
import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({
  url: "http://arena.test/",
  width: 1280,
  height: 800,
  // Boards wait for their style sheets, of which no text is needed here.
  settings: { handleDisabledFileLoadingAsSuccess: true },
});

// happy-dom forgets an observer to which nothing refers; browsers do not.
const observers = [];
const { MutationObserver } = globalThis;
globalThis.MutationObserver = class extends MutationObserver {
  constructor(callback) {
    super(callback);
    observers.push(this);
  }
};
