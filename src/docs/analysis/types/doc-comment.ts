/** A JSDoc comment, taken apart. */
export interface DocComment {
  readonly description: string;
  readonly tags: readonly DocTag[];
}

export interface DocTag {
  /** In small letters. */
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

/** The description, then one block per tag. An `@` inside of a fenced example is no tag. */
function splitBlocks(lines: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  let isFenced = false;
  for (const line of lines) {
    if (/^\s*@[\w-]+/.test(line) && !isFenced) blocks.push([]);
    if (/^\s*```/.test(line)) isFenced = !isFenced;
    blocks.at(-1)!.push(line);
  }
  return blocks;
}

/** `{@link Todo}` and `{@link Todo | the text}` are what a reader would see of them. */
function plainLinks(text: string): string {
  return text.replace(
    /\{@link(?:code|plain)?\s+([^}|\s]+)\s*(?:\|?\s*([^}]*))?\}/g,
    (_, target: string, label = "") => (label.trim() === "" ? target : label.trim()),
  );
}
