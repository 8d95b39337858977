// A document for the modules of the page: happy-dom's, as globals of this process.
import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({ url: "http://arena.test/", width: 1280, height: 800 });
