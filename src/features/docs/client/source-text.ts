import { escapeControls } from "../../../lib/text/terminal-text.ts";

/**
 * Texts of a document in TypeScript source. None of them can end a literal or a comment, reverse the direction of the
 * text, or act as a directive for a compiler.
 */

/** A string literal. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The name of a property, in quotation marks if it is not an identifier. */
export function writeKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** A tag of a documentation comment: `@default 20`. */
export interface Tag {
  readonly tag: "default" | "deprecated";
  readonly text?: string;
}

/** A documentation comment with a line break at its end; empty if there is nothing to say. */
export function writeComment(parts: readonly (string | Tag | undefined)[]): string {
  const lines = parts.flatMap((part, index) => {
    if (part === undefined) return [];
    if (typeof part === "object") return [`@${part.tag} ${toDocText(part.text ?? "")}`.trim()];
    const own = part.trim().replace(/\r\n?/g, "\n").split("\n").map(toDocLine);
    return index > 0 ? ["", ...own] : own;
  });
  const [first, ...others] = lines;
  if (first === undefined) return "";
  if (others.length === 0) return `/** ${first} */\n`;
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */", ""].join("\n");
}

/** A line that begins like a tag is not one. */
function toDocLine(text: string): string {
  return toDocText(text).replace(/^(\s*)@/, "$1\\@");
}

function toDocText(text: string): string {
  return escapeControls(text).replaceAll("*/", "*\\/").trimEnd();
}

/** Indents all lines but the first. */
export function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** A block with one member per line. */
export function writeBlock(members: readonly string[]): string {
  return members.length === 0 ? "{}" : `{\n${members.map((member) => `  ${indent(member)}\n`).join("")}}`;
}
