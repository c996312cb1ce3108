import type { Compiler, TypeRef } from "./shape.ts";

/** The possible types of `await value` for a value of this type. */
export function awaitedTypes(compiler: Compiler, type: TypeRef, depth = 0): readonly TypeRef[] {
  const shape = compiler.shapeOf(type);
  if (depth > 10) return [type];
  if (shape.kind === "union") {
    const parts = shape.members.map((member) => awaitedTypes(compiler, member, depth + 1));
    // If there is nothing to await, the type remains whole, because it may have a name.
    return parts.every((part, index) => part[0] === shape.members[index]) ? [type] : parts.flat();
  }
  const promised = promisedType(compiler, type);
  return promised ? awaitedTypes(compiler, promised, depth + 1) : [type];
}

function promisedType(compiler: Compiler, type: TypeRef): TypeRef | undefined {
  const { name } = compiler.shapeOf(type);
  const isPromise = name?.name === "Promise" || name?.name === "PromiseLike";
  return isPromise && name.declaration.origin === "library" ? name.arguments[0] : undefined;
}
