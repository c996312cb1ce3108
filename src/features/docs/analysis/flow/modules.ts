import { isBuiltin } from "node:module";
import type { ModuleExportName, Statement } from "oxc-parser";
import type { SourceFile } from "../source/source-file.ts";
import { nameFunction } from "./expressions/literals.ts";
import { declarePattern } from "./expressions/patterns.ts";
import { createFrame, type InterpreterContext } from "./interpreter-context.ts";
import { Scope } from "./values/env.ts";
import { type Env, unknown, type Value } from "./values/value.ts";

/** The names and exports of modules, evaluated on first use. */
export class Modules {
  private readonly scopes = new Map<SourceFile, Env>();
  private readonly searching = new Set<string>();
  private readonly machine: InterpreterContext;

  constructor(machine: InterpreterContext) {
    this.machine = machine;
  }

  scopeOf(file: SourceFile): Env {
    const known = this.scopes.get(file);
    if (known) return known;
    const env = new Scope(file);
    this.scopes.set(file, env);
    this.declareAll(file.program.body as Statement[], env);
    return env;
  }

  declareAll(statements: readonly Statement[], env: Env): void {
    for (const statement of statements) this.declareOne(statement, env);
  }

  forget(): void {
    this.scopes.clear();
  }

  /** The value of an export; `undefined` if the module does not export it. */
  exported(path: string, name: string): Value | undefined {
    const key = `${path}\0${name}`;
    const file = this.machine.files.read(path);
    if (!file || this.searching.has(key)) return undefined;
    this.searching.add(key);
    try {
      return this.findExport(file, name);
    } finally {
      this.searching.delete(key);
    }
  }

  private findExport(file: SourceFile, name: string): Value | undefined {
    const env = this.scopeOf(file);
    const stars: string[] = [];
    for (const statement of file.program.body as Statement[]) {
      if (statement.type === "ExportDefaultDeclaration" && name === "default")
        return this.defaultOf(statement, env);
      if (statement.type === "ExportAllDeclaration") {
        if (statement.exported === null) stars.push(statement.source.value);
        else if (nameOf(statement.exported) === name) return this.moduleOf(file, statement.source.value);
      }
      if (statement.type !== "ExportNamedDeclaration") continue;
      if (statement.declaration && env.has(name) && declares(statement.declaration as Statement, name))
        return env.lookup(name);
      const specifier = statement.specifiers.find(({ exported }) => nameOf(exported) === name);
      if (!specifier) continue;
      const local = nameOf(specifier.local);
      if (!statement.source) return env.lookup(local);
      return this.imported(file, statement.source.value, local);
    }
    const found = (name === "default" ? [] : stars).flatMap(
      (source) => this.imported(file, source, name) ?? [],
    );
    // Annex is assumed to export every name, so other modules take precedence.
    return found.find(({ kind }) => kind !== "annex") ?? found[0];
  }

  private defaultOf(
    { declaration, start }: Extract<Statement, { type: "ExportDefaultDeclaration" }>,
    env: Env,
  ): Value {
    if (declaration.type === "FunctionDeclaration" && declaration.id)
      return env.lookup(declaration.id.name) ?? unknown;
    if (declaration.type === "FunctionDeclaration") {
      return {
        kind: "function",
        node: declaration,
        file: env.file,
        env,
        self: undefined,
        declared: [{ file: env.file, start, name: undefined }],
      };
    }
    if (declaration.type === "ClassDeclaration")
      return { kind: "class", node: declaration, file: env.file, env };
    if (declaration.type === "TSInterfaceDeclaration") return unknown;
    const value = this.machine.evaluate(
      declaration as Parameters<InterpreterContext["evaluate"]>[0],
      env,
      createFrame({ isShared: true }),
    );
    return nameFunction(value, declaration, { file: env.file, start, name: undefined });
  }

  private moduleOf(file: SourceFile, specifier: string): Value | undefined {
    if (isBuiltin(specifier)) return { kind: "native", name: specifier.replace(/^node:/, "") };
    const path = this.machine.files.resolve(file.path, specifier);
    return path === undefined ? undefined : { kind: "module", path };
  }

  private imported(file: SourceFile, specifier: string, name: string): Value | undefined {
    if (isBuiltin(specifier)) return { kind: "native", name: `${specifier.replace(/^node:/, "")}.${name}` };
    const path = this.machine.files.resolve(file.path, specifier);
    return path === undefined ? undefined : this.machine.findExported(path, name);
  }

  private declareOne(outer: Statement, env: Env): void {
    const { file } = env;
    const statement =
      outer.type === "ExportNamedDeclaration" && outer.declaration ? (outer.declaration as Statement) : outer;
    if (outer.type === "ExportDefaultDeclaration") {
      const { declaration } = outer;
      if (
        (declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration") &&
        declaration.id
      ) {
        this.declareNamed(declaration as Statement, outer.start, env);
      }
    } else if (statement.type === "ImportDeclaration") {
      for (const specifier of statement.specifiers) {
        env.declare(specifier.local.name, undefined, undefined, () => {
          if (specifier.type === "ImportNamespaceSpecifier")
            return this.moduleOf(file, statement.source.value) ?? unknown;
          const name = specifier.type === "ImportDefaultSpecifier" ? "default" : nameOf(specifier.imported);
          return this.imported(file, statement.source.value, name) ?? unknown;
        });
      }
    } else if (statement.type === "VariableDeclaration") this.declareVariables(statement, outer.start, env);
    else this.declareNamed(statement, outer.start, env);
  }

  private declareNamed(statement: Statement, start: number, env: Env): void {
    const { file } = env;
    if (statement.type === "FunctionDeclaration" && statement.id && statement.body) {
      const { name } = statement.id;
      env.declare(name, {
        kind: "function",
        node: statement,
        file,
        env,
        self: undefined,
        declared: [{ file, start, name }],
      });
    } else if (statement.type === "ClassDeclaration" && statement.id) {
      env.declare(statement.id.name, { kind: "class", node: statement, file, env });
    } else if (statement.type === "TSEnumDeclaration") {
      // Enums are evaluated with the statements. Hoisting declares them in a separate scope.
      const inner = new Scope(file, env);
      env.declare(statement.id.name, undefined, undefined, () => {
        this.machine.run([statement], inner, createFrame());
        return inner.lookup(statement.id.name) ?? unknown;
      });
    }
  }

  /** A variable that is reassigned later may have any value. */
  private declareVariables(
    node: Extract<Statement, { type: "VariableDeclaration" }>,
    start: number,
    env: Env,
  ): void {
    for (const { id, init } of node.declarations) {
      const type = id.typeAnnotation?.typeAnnotation;
      const evaluate = (): Value => {
        const value =
          init && node.kind === "const"
            ? this.machine.evaluate(init, env, createFrame({ isShared: true }))
            : unknown;
        if (value.kind === "opaque") return this.machine.instanceOf(type, env);
        return id.type === "Identifier" && init
          ? nameFunction(value, init, { file: env.file, start, name: id.name })
          : value;
      };
      if (id.type === "Identifier") {
        env.declare(id.name, undefined, undefined, evaluate);
        continue;
      }
      for (const name of namesIn(id)) {
        env.declare(name, undefined, undefined, () => {
          let found: Value = unknown;
          declarePattern(this.machine, id, evaluate(), env, createFrame(), (each, value) => {
            if (each === name) found = value;
          });
          return found;
        });
      }
    }
  }
}

function declares(statement: Statement, name: string): boolean {
  if (statement.type === "VariableDeclaration")
    return statement.declarations.some(({ id }) => namesIn(id).includes(name));
  return "id" in statement && statement.id?.type === "Identifier" && statement.id.name === name;
}

function nameOf(name: ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

function namesIn(pattern: { type: string }): string[] {
  const node = pattern as Parameters<typeof declarePattern>[1];
  switch (node.type) {
    case "Identifier":
      return [node.name];
    case "ObjectPattern":
      return node.properties.flatMap((property) =>
        namesIn(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return node.elements.flatMap((element) => (element ? namesIn(element) : []));
    case "AssignmentPattern":
      return namesIn(node.left);
    case "RestElement":
      return namesIn(node.argument);
    default:
      return [];
  }
}
