import type { Compiler, TemplateShape, TypeRef } from "../shape.ts";

/** The pattern of the strings that a template literal type allows; `undefined` if it depends on a type parameter. */
export function templatePattern(compiler: Compiler, shape: TemplateShape): string | undefined {
  const spans = shape.types.map((type) => spanPattern(compiler, type));
  if (spans.some((span) => span === undefined)) return undefined;
  const parts = shape.texts.map((text, index) => `${escapePattern(text)}${spans[index] ?? ""}`);
  return `^${parts.join("")}$`;
}

/** Every string that TypeScript accepts as a number or as a bigint. */
const numberPattern = "([+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|0[bBoOxX][\\da-fA-F]+|-?Infinity|NaN)";
const bigintPattern = "-?(\\d+|0[bBoOxX][\\da-fA-F]+)";

/** Unions, literals and other templates do not occur here: the compiler has already resolved them into the texts. */
function spanPattern(compiler: Compiler, type: TypeRef): string | undefined {
  const shape = compiler.shapeOf(type);
  switch (shape.kind) {
    case "open":
      return undefined;
    case "number":
      return numberPattern;
    case "bigint":
      return bigintPattern;
    default:
      return "[\\s\\S]*";
  }
}

/** For regular expressions with or without the `u` flag: only syntax characters are escaped. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
