import type { Compiler, Shape, TypeRef } from "../shape.ts";
import { findBuiltin, isFunction, isOfLibrary } from "./builtins.ts";

/**
 * Whether a named type can be a component. Components are values: types that may be absent, such as functions, can only
 * be described where they are used. A brand is described as its base type.
 */
export function isReferable(compiler: Compiler, shape: Shape, type: TypeRef): boolean {
  if (!shape.name || findBuiltin(shape) || isOfLibrary(shape)) return false;
  if (shape.kind === "intersection" && !areObjects(compiler, shape.members)) return false;
  return !mayBeAbsent(compiler, type);
}

function areObjects(compiler: Compiler, members: readonly TypeRef[]): boolean {
  return members.every((member) => {
    const shape = compiler.shapeOf(member);
    return (shape.kind === "object" || shape.kind === "nonPrimitive") && !findBuiltin(shape);
  });
}

function mayBeAbsent(compiler: Compiler, type: TypeRef, depth = 0): boolean {
  const shape = compiler.shapeOf(type);
  if (shape.kind === "undefined" || shape.kind === "void" || shape.kind === "symbol") return true;
  if (depth > 3) return false;
  if (shape.kind === "union") return shape.members.some((member) => mayBeAbsent(compiler, member, depth + 1));
  if (shape.kind !== "object" && shape.kind !== "intersection") return false;
  if (findBuiltin(shape) || isOfLibrary(shape)) return isFunction(shape);
  const { isCallable, properties } = compiler.membersOf(type);
  const toJson = properties.find(({ name }) => name === "toJSON");
  const written = toJson ? compiler.returnsOf(toJson.type) : [];
  return isCallable || written.some((part) => part !== type && mayBeAbsent(compiler, part, depth + 1));
}
