import type { Comment } from "oxc-parser";
import type { Directives } from "../../model/facts.ts";
import type { SourceFile } from "./source-file.ts";

/**
 * Reads `API_DESC` and `API_TAGS` directly above an offset, where a statement, a method or a property starts. Without
 * `API_DESC`, a JSDoc comment provides the description.
 */
export function readDirectives(file: SourceFile, offset: number): Directives {
  const above = commentsAbove(file, offset);
  const lines = above.filter(({ type }) => type === "Line").map(({ value }) => value.trim());
  const described = lines.flatMap((line) => /^API_DESC(?:\s+(.*))?$/.exec(line)?.[1]?.trim() ?? []);
  const tags = lines
    .flatMap((line) => /^API_TAGS(?:\s+(.*))?$/.exec(line)?.[1]?.split(",") ?? [])
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  const jsDoc = above.findLast(({ type, value }) => type === "Block" && value.startsWith("*"));
  const { text, isDeprecated } = jsDoc ? readJsDoc(jsDoc.value) : { text: "", isDeprecated: false };
  const description = described.filter((line) => line !== "").join(" ") || text;
  return {
    ...(description !== "" && { description }),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
    ...(isDeprecated && { isDeprecated }),
  };
}

/** Combines the comments of several places. Of each directive, the first one counts. */
export function mergeDirectives(found: readonly Directives[]): Directives {
  return Object.assign({}, ...found.toReversed());
}

/** The comments directly above, without blank lines in between, in order. */
function commentsAbove({ comments, text }: SourceFile, offset: number): Comment[] {
  const found: Comment[] = [];
  let edge = offset;
  for (const comment of comments.filter(({ end }) => end <= offset).toReversed()) {
    const between = text.slice(comment.end, edge);
    if (between.trim() !== "" || /\n[^\S\n]*\r?\n/.test(between)) break;
    // A comment at the end of a line belongs to the code on that line.
    const lineStart = text.lastIndexOf("\n", comment.start - 1) + 1;
    if (
      comment.type === "Line" &&
      text.slice(lineStart, comment.start).trim() !== "" &&
      !isOpening(text, lineStart, comment)
    )
      break;
    found.unshift(comment);
    edge = comment.start;
  }
  return found;
}

/** In `router.get("/x", // API_DESC …`, the comment follows the call that it is an argument of. */
function isOpening(text: string, lineStart: number, { start }: Comment): boolean {
  return /[(,[{]\s*$/.test(text.slice(lineStart, start));
}

function readJsDoc(value: string) {
  const lines = value.split(/\r?\n/).map((line) => line.replace(/^\s*\*+ ?/, "").trimEnd());
  const firstTag = lines.findIndex((line) => /^\s*@\w/.test(line));
  const body = firstTag === -1 ? lines : lines.slice(0, firstTag);
  return {
    text: body.join("\n").trim(),
    isDeprecated: lines.some((line) => /^\s*@deprecated\b/.test(line)),
  };
}
