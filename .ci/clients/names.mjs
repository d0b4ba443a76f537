// Checks that the scripts of the page use no name that none of them declares or imports, and import no name that they do not use.
//   node names.mjs FILE ...
import ts from 'typescript';

const CANNOT_FIND_NAME = [2304, 2305, 2307, 2552, 2580, 2581, 2582, 2583, 2584, 2614, 2724, 18004];
const UNUSED = [6133, 6192, 6196, 6198];
const files = process.argv.slice(2);
const program = ts.createProgram(files, {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  noUnusedLocals: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
});
const mistakes = ts
  .getPreEmitDiagnostics(program)
  .filter(({ code }) => CANNOT_FIND_NAME.includes(code) || UNUSED.includes(code))
  .filter(({ file }) => !file.fileName.endsWith('.min.js'));
for (const each of mistakes) {
  const { line } = each.file.getLineAndCharacterOfPosition(each.start);
  console.error(`${each.file.fileName}:${line + 1}: ${ts.flattenDiagnosticMessageText(each.messageText, ' ')}`);
}
if (mistakes.length) process.exit(1);
console.log(`${files.length} scripts of the page use only names that they have`);
