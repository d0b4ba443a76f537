// node manifests.mjs FILE...: prints mistakes in manifests for Kubernetes and KEDA, found with the types generated from
// their schemas: invalid values by the types' own validation, and unknown fields by the compiler.
import fs from "node:fs";
import { loadAll } from "js-yaml";
import ts from "typescript";

const literals = [];
for (const file of process.argv.slice(2)) {
  for (const manifest of loadAll(fs.readFileSync(file, "utf8"))) {
    const { apiVersion, kind } = manifest;
    const library = apiVersion.includes("keda.sh") ? "@kubernetes-models/keda" : "kubernetes-models";
    const module = `${library}/${apiVersion}/${kind}`;
    const Model = (await import(module))[kind];
    new Model(manifest).validate();
    literals.push(`import { I${kind} } from "${module}";`, `export const _${literals.length}: I${kind} = ${JSON.stringify(manifest, null, 1)};`);
  }
}

fs.writeFileSync("manifests.ts", literals.join("\n"));
const program = ts.createProgram(["manifests.ts"], {
  noEmit: true, strict: true, skipLibCheck: true,
  module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
});
const mistakes = ts.getPreEmitDiagnostics(program);
fs.rmSync("manifests.ts");
for (const { messageText } of mistakes) console.error(ts.flattenDiagnosticMessageText(messageText, "\n"));
process.exit(mistakes.length === 0 ? 0 : 1);
