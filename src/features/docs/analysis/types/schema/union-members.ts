import type { Compiler, LiteralShape, Shape, TypeRef } from "../shape.ts";

/** The members of a union. Named types that the compiler has split are joined again. */
export function unionParts(
  compiler: Compiler,
  type: TypeRef,
  members: readonly TypeRef[],
): readonly TypeRef[] {
  const { rest, nullish } = splitNullish(compiler, type, members);
  return rest ? [rest, ...nullish] : groupEnums(compiler, members);
}

/** Splits off null and undefined. The remaining type may have a name. */
function splitNullish(compiler: Compiler, type: TypeRef, members: readonly TypeRef[]) {
  const nullish = members.filter((member) => isNullish(compiler.shapeOf(member)));
  if (nullish.length === 0 || nullish.length === members.length) return { nullish };
  const rest = compiler.withoutNullish(type);
  const shape = compiler.shapeOf(rest);
  const isLeftOver =
    shape.kind === "union" && shape.members.some((member) => isNullish(compiler.shapeOf(member)));
  return rest === type || isLeftOver ? { nullish } : { rest, nullish };
}

/** The compiler splits an enum in a union. If all of its members are present, the whole enum was written. */
function groupEnums(compiler: Compiler, members: readonly TypeRef[]): readonly TypeRef[] {
  const present = new Set(members);
  const wholes = members.map((member) => {
    const { enumType } = compiler.shapeOf(member) as Partial<LiteralShape>;
    const whole = enumType && compiler.shapeOf(enumType);
    const isWhole = whole?.kind === "union" && whole.members.every((one) => present.has(one));
    return isWhole && whole.members.length < members.length ? enumType! : member;
  });
  return [...new Set(wholes)];
}

function isNullish({ kind }: Shape): boolean {
  return kind === "null" || kind === "undefined" || kind === "void";
}
