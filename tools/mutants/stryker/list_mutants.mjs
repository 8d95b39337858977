// Prints the mutants of files as JSON: list_mutants.mjs PACKAGES FILE ...
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, ...files] = process.argv.slice(2);
const entry = createRequire(`${packages}/package.json`).resolve("@stryker-mutator/instrumenter");
const { Instrumenter } = await import(pathToFileURL(entry).href);

const logger = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false };
const options = { plugins: null, excludedMutations: [], ignorers: [] };
const sources = await Promise.all(
  files.map(async name => ({ name, mutate: true, content: await readFile(name, "utf8") })),
);
const { mutants } = await new Instrumenter(logger).instrument(sources, options);
console.log(
  JSON.stringify(
    mutants
      .filter(mutant => mutant.status !== "Ignored")
      .map(({ fileName, location: { start, end }, mutatorName, replacement }) => ({
        path: fileName,
        start: [start.line + 1, start.column],
        end: [end.line + 1, end.column],
        operator: mutatorName,
        replacement,
      })),
  ),
);
