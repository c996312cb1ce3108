import type { Compiler, TemplateShape, TypeRef } from "./shape.ts";

/** The pattern of the strings that a template literal type allows; `undefined` if it depends on a type parameter. */
export function templatePattern(compiler: Compiler, shape: TemplateShape): string | undefined {
  const spans = shape.types.map((type) => spanPattern(compiler, type));
  if (spans.some((span) => span === undefined)) return undefined;
  const parts = shape.texts.map((text, index) => `${escapePattern(text)}${spans[index] ?? ""}`);
  return `^${parts.join("")}$`;
}

/** Every string that TypeScript takes for a number. */
const numberPattern = "([+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?|0[bBoOxX][\\da-fA-F]+|-?Infinity|NaN)";

function spanPattern(compiler: Compiler, type: TypeRef): string | undefined {
  const shape = compiler.shapeOf(type);
  switch (shape.kind) {
    case "open":
      return undefined;
    case "literal":
      return escapePattern(String(shape.value));
    case "number":
      return numberPattern;
    case "bigint":
      return "-?\\d+";
    case "null":
    case "undefined":
      return shape.kind;
    case "template":
      return templatePattern(compiler, shape)?.slice(1, -1);
    case "union": {
      const members = shape.members.map((member) => spanPattern(compiler, member));
      return members.some((member) => member === undefined) ? undefined : `(${members.join("|")})`;
    }
    default:
      return "[\\s\\S]*";
  }
}

/** For a regular expression with or without the `u` flag: only characters of syntax are escaped. */
function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
