import type { Expression, Node, Statement } from "oxc-parser";
import type { SourceFile } from "../source/source-file.ts";

/**
 * The location of an expression's value in the running program: a top-level name of a module, and properties of it. A
 * validator's value is more precise than its type: it has lengths, formats and defaults.
 */
export interface ValueReference {
  readonly file: string;
  /** Names that are not exported are only visible from functions in the file. */
  readonly name: string;
  readonly isExported: boolean;
  readonly path: readonly string[];
}

/** `undefined` for values created inline or inside a function. */
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
