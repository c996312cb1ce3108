/**
 * What TypeScript 6 alone would take: opens the project in this process, and of each handler prints the type of the
 * response and of its properties, two levels deep. It makes no document and follows no call.
 */
import { join } from "node:path";
import ts from "typescript-6";

const folder = process.argv[2]!;
const configFile = join(folder, "tsconfig.json");
const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

let count = 0;
for (const file of program.getSourceFiles()) {
  if (!file.fileName.endsWith("/handlers.ts")) continue;
  for (const statement of file.statements) if (ts.isFunctionDeclaration(statement)) walkHandler(statement);
}
if (count === 0) throw new Error(`There is no handler in ${folder}.`);

function walkHandler(handler: ts.FunctionDeclaration): void {
  const signature = checker.getSignatureFromDeclaration(handler)!;
  const returned = checker.getReturnTypeOfSignature(signature);
  printType(checker.getAwaitedType(returned) ?? returned, 2);
  count++;
}

/** Of a response the type argument is what matters: the body. */
function printType(type: ts.Type, levels: number): string[] {
  const parts = [...(type.isUnion() ? type.types : [type]), ...(type.aliasTypeArguments ?? [])];
  const inner = parts.flatMap((part) => [part, ...checker.getTypeArguments(part as ts.TypeReference)]);
  const own = checker.typeToString(type);
  if (levels === 0) return [own];
  const properties = inner.flatMap((part) => checker.getPropertiesOfType(part));
  return [own, ...properties.flatMap((each) => printType(checker.getTypeOfSymbol(each), levels - 1))];
}
