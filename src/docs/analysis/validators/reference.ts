import type { Expression, Node, Statement } from "oxc-parser";
import type { SourceFile } from "../source/source-file.ts";

/**
 * Where the running program holds the value of an expression: a name at the top of a module, and properties behind it.
 * The value of a validator tells more than its type: lengths, formats, defaults.
 */
export interface ValueReference {
  readonly file: string;
  /** `exported`: by the module to everybody; else it is only seen from functions within the file. */
  readonly name: string;
  readonly isExported: boolean;
  readonly path: readonly string[];
}

/** `undefined` for what is made on the spot or inside of a function. */
export function findReference(
  file: SourceFile,
  node: Expression,
  resolve: (specifier: string) => string | undefined,
): ValueReference | undefined {
  const path: string[] = [];
  let root: Expression = node;
  while (root.type === "MemberExpression" && !root.computed && root.property.type === "Identifier") {
    path.unshift(root.property.name);
    root = root.object;
  }
  if (root.type !== "Identifier") return undefined;
  const { name } = root;
  for (const statement of file.program.body as Statement[]) {
    if (statement.type === "ImportDeclaration") {
      const specifier = statement.specifiers.find(({ local }) => local.name === name);
      const target = specifier && resolve(statement.source.value);
      if (!specifier || !target) continue;
      if (specifier.type === "ImportNamespaceSpecifier") {
        const [first, ...rest] = path;
        return first === undefined ? undefined : { file: target, name: first, isExported: true, path: rest };
      }
      const imported = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "default";
      return { file: target, name: imported, isExported: true, path };
    }
    const isExport = statement.type === "ExportNamedDeclaration";
    const declaration = isExport ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "const") continue;
    if (declaration.declarations.some(({ id }) => id.type === "Identifier" && id.name === name)) {
      return { file: file.path, name, isExported: isExport, path };
    }
  }
  return undefined;
}

function nameOf(node: Node): string {
  return node.type === "Identifier" ? node.name : node.type === "Literal" ? String(node.value) : "";
}
