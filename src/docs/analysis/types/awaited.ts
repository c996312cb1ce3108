import type { Compiler, TypeRef } from "./shape.ts";

/** What `await` makes of a value of the type, as alternatives. */
export function awaitedTypes(compiler: Compiler, type: TypeRef, depth = 0): readonly TypeRef[] {
  const shape = compiler.shapeOf(type);
  if (depth > 10) return [type];
  if (shape.kind === "union") {
    const parts = shape.members.map((member) => awaitedTypes(compiler, member, depth + 1));
    // Left whole where there is nothing to await, since the whole may have a name.
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
