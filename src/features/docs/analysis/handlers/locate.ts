import type { Node, Statement } from "oxc-parser";
import type { Interpreter } from "../flow/interpreter.ts";
import { Scope } from "../flow/values/env.ts";
import type { Env, FunctionValue, Value } from "../flow/values/value.ts";
import { childrenOf, pathTo, type SourceFile } from "../source/source-file.ts";

export type CallNode = Extract<Node, { type: "CallExpression" }>;

/**
 * The call at a location given by V8, which points at the method's name or at the function. A source map may only know
 * where the whole statement starts, so `isMeant` can exclude other calls.
 */
export function callAt(
  file: SourceFile,
  offset: number,
  isMeant: (call: CallNode) => boolean = () => true,
): { call: CallNode; path: Node[] } | undefined {
  const path = pathTo(file, offset);
  const index = path.findLastIndex(
    (node) => node.type === "CallExpression" && node.callee.end >= offset && isMeant(node),
  );
  return index === -1 ? undefined : { call: path[index] as CallNode, path: path.slice(0, index) };
}

/** The function at a location given by V8: somewhere between the function's start and its body. */
export function functionAt(
  machine: Interpreter,
  file: SourceFile,
  offset: number,
): FunctionValue | undefined {
  const path = pathTo(file, offset);
  const index = path.findLastIndex((node) => isFunction(node) && offset <= (node.body?.start ?? node.end));
  const node = path[index];
  if (!node || !isFunction(node)) return undefined;
  const around = path.slice(0, index);
  const { env, self } = scopeAt(machine, file, around);
  return { kind: "function", node, file, env, self, declared: declarationOf(file, around, node) };
}

type FunctionNode = FunctionValue["node"];

const isFunction = (node: Node): node is FunctionNode =>
  node.type === "ArrowFunctionExpression" ||
  node.type === "FunctionExpression" ||
  node.type === "FunctionDeclaration";

function declarationOf(
  file: SourceFile,
  around: readonly Node[],
  node: FunctionNode,
): FunctionValue["declared"] {
  const own = { file, start: node.start, name: node.id?.name };
  const holder = around.at(-1);
  const nameOf = (key: Node) => (key.type === "Identifier" ? key.name : undefined);
  if (
    holder?.type === "MethodDefinition" ||
    holder?.type === "Property" ||
    holder?.type === "PropertyDefinition"
  ) {
    return [{ file, start: holder.start, name: nameOf(holder.key) }, own];
  }
  const statement = around.findLast(({ type }) => /Declaration$/.test(type) && type !== "ClassDeclaration");
  const isDeclared =
    holder?.type === "VariableDeclarator" || holder?.type.startsWith("Export") || holder?.type === "Program";
  const name = holder?.type === "VariableDeclarator" ? nameOf(holder.id) : own.name;
  const outer = around.findLast(({ type }) => type.startsWith("Export")) ?? statement;
  return isDeclared && outer ? [{ file, start: outer.start, name }, own] : [own];
}

export interface Surroundings {
  readonly env: Env;
  /** The value of `this`. */
  readonly self: Value | undefined;
}

/** The names in scope. The values of parameters are unknown. */
export function scopeAt(machine: Interpreter, file: SourceFile, path: readonly Node[]): Surroundings {
  let env = machine.scopeOf(file);
  let self: Value | undefined;
  for (const node of path) {
    if (node.type === "BlockStatement") env = machine.innerScope(node.body as Statement[], env);
    if (node.type === "ClassDeclaration" || node.type === "ClassExpression") {
      self = machine.anyInstance({ kind: "class", node, file, env });
    }
    if (isFunction(node)) {
      env = new Scope(file, env);
      for (const parameter of node.params) declareUnknown(machine, parameter, env);
    }
    if (node.type === "ForOfStatement" && node.left.type === "VariableDeclaration") {
      env = new Scope(file, env);
      for (const { id } of node.left.declarations) declareUnknown(machine, id, env);
    }
  }
  return { env, self };
}

function declareUnknown(machine: Interpreter, pattern: Node, env: Env): void {
  if (pattern.type === "Identifier") {
    env.declare(pattern.name, machine.instanceOf(pattern.typeAnnotation?.typeAnnotation, env));
    return;
  }
  for (const child of childrenOf(pattern))
    if (child.type !== "TSTypeAnnotation") declareUnknown(machine, child, env);
}
