// Runs a program in JavaScript in each case; the outputs end with NUL.
const fs = require("node:fs");
const vm = require("node:vm");

const file = process.argv[2];
const script = new vm.Script(fs.readFileSync(file, "utf8"));
const task = JSON.parse(fs.readFileSync(0, "utf8"));
for (const words of task.cases) {
  let text = "";
  const console = { log: line => (text += `${line}\n`) };
  try {
    const context = { process: { argv: ["node", file, ...words] }, console };
    script.runInNewContext(context, { timeout: 1000 * task.seconds });
  } catch {
    text = "";
  }
  process.stdout.write(`${text}\0`);
}
