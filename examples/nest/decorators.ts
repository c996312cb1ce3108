/**
 * Compiles the files of this example when they are loaded, because Node does not run decorators. Your own application
 * does not need this: `nest build` compiles it.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import ts from "typescript-6";

const folder = new URL(".", import.meta.url).href;

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  inlineSourceMap: true,
};

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(folder)) return nextLoad(url, context);
    const fileName = fileURLToPath(url);
    const { outputText } = ts.transpileModule(readFileSync(fileName, "utf8"), { fileName, compilerOptions });
    return { format: "module", source: outputText, shortCircuit: true };
  },
});
