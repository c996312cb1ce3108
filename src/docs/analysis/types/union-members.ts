import type { Compiler, LiteralShape, Shape, TypeRef } from "./shape.ts";

/** The members of a union, put together again where the compiler has taken something with a name apart. */
export function unionParts(
  compiler: Compiler,
  type: TypeRef,
  members: readonly TypeRef[],
): readonly TypeRef[] {
  const { rest, nullish } = splitNullish(compiler, type, members);
  return rest ? [rest, ...nullish] : groupEnums(compiler, members);
}

/** Null and undefined, and what is left without them: that may be a type with a name. */
function splitNullish(compiler: Compiler, type: TypeRef, members: readonly TypeRef[]) {
  const nullish = members.filter((member) => isNullish(compiler.shapeOf(member)));
  if (nullish.length === 0 || nullish.length === members.length) return { nullish };
  const rest = compiler.withoutNullish(type);
  const shape = compiler.shapeOf(rest);
  const isLeftOver =
    shape.kind === "union" && shape.members.some((member) => isNullish(compiler.shapeOf(member)));
  return rest === type || isLeftOver ? { nullish } : { rest, nullish };
}

/** In a union an enum is taken apart; when all of its members are there, it was meant as a whole. */
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
