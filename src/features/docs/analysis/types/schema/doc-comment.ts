/** A parsed JSDoc comment. */
export interface DocComment {
  readonly description: string;
  readonly tags: readonly DocTag[];
}

export interface DocTag {
  /** In lower case. */
  readonly name: string;
  readonly text: string;
}

export function parseDocComment(comment: string): DocComment {
  const blocks = splitBlocks(contentLines(comment));
  const [description = "", ...rest] = blocks.map((block) => block.join("\n").trim());
  const tags = rest.map((block) => {
    const { name = "", text = "" } = /^@(?<name>[\w-]+)\s*(?<text>[\s\S]*)$/.exec(block)?.groups ?? {};
    return { name: name.toLowerCase(), text: text.trim() };
  });
  return { description: plainLinks(description), tags };
}

function contentLines(comment: string): string[] {
  const content = comment.replace(/^\/\*\*/, "").replace(/\*\/$/, "");
  return content.split(/\r\n|\n|\r/).map((line) => line.replace(/^\s*\*? ?/, "").trimEnd());
}

/** Tags that may share a line: `@minLength 2 @maxLength 3`. An example or a pattern may itself contain an `@`. */
const inlineTag =
  /\s+(?=@(?:format|minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|minItems|maxItems|uniqueItems|integer|deprecated|readonly|writeonly|example|default|pattern|title)\b)/i;
const takesRest = /^\s*@(example|default|pattern|title)\b/i;

function splitLine(line: string): string[] {
  const [first = "", ...rest] = takesRest.test(line) ? [line] : line.split(inlineTag);
  const open = rest.findIndex((part) => takesRest.test(part));
  return open === -1 ? [first, ...rest] : [first, ...rest.slice(0, open), rest.slice(open).join(" ")];
}

/** The description, followed by one block per tag. An `@` inside a fenced example does not start a tag. */
function splitBlocks(comment: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  let isFenced = false;
  const lines = comment.flatMap((line) => {
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    return isFenced ? [line] : splitLine(line);
  });
  isFenced = false;
  for (const line of lines) {
    if (/^\s*@[\w-]+/.test(line) && !isFenced) blocks.push([]);
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    blocks.at(-1)!.push(line);
  }
  return blocks;
}

/** Replaces `{@link Todo}` and `{@link Todo | the text}` with the text that readers see. */
function plainLinks(text: string): string {
  return text.replace(
    /\{@link(?:code|plain)?\s+([^}|\s]+)\s*(?:\|?\s*([^}]*))?\}/g,
    (_, target: string, label = "") => (label.trim() === "" ? target : label.trim()),
  );
}
