/**
 * The part of Markdown that descriptions use: paragraphs, headings, lists, code, emphasis and links. HTML is text, and
 * so is anything else.
 */

export type Block =
  | { readonly kind: "paragraph" | "heading"; readonly content: Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly items: readonly Inline[][] };

export type Inline =
  | string
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong"; readonly content: Inline[] }
  | { readonly kind: "emphasis"; readonly content: Inline[] }
  | { readonly kind: "link"; readonly href: string; readonly content: Inline[] };

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*$/;
const item = /^ {0,3}([-*+]|\d{1,9}[.)])\s+(.*)$/;

export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  /** Takes lines as long as they belong together. */
  const takeWhile = (belongs: (line: string) => boolean): string[] => {
    const start = at;
    while (at < lines.length && belongs(lines[at]!)) at++;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at]!;
    const fenced = fence.exec(line)?.[1];
    if (fenced !== undefined) {
      at++;
      blocks.push({
        kind: "code",
        text: takeWhile((each) => !each.trimStart().startsWith(fenced)).join("\n"),
      });
      at++;
    } else if (line.trim() === "") at++;
    else if (heading.test(line)) {
      blocks.push({ kind: "heading", content: parseInline(heading.exec(line)![1]!) });
      at++;
    } else if (item.test(line)) blocks.push(parseList(takeWhile(isInList)));
    else blocks.push({ kind: "paragraph", content: parseInline(takeWhile(isInParagraph).join(" ")) });
  }
  return blocks;
}

const isInParagraph = (line: string) =>
  line.trim() !== "" && !fence.test(line) && !heading.test(line) && !item.test(line);

/** An item, or the rest of one. */
const isInList = (line: string) => item.test(line) || (line.trim() !== "" && /^\s/.test(line));

function parseList(lines: readonly string[]): Block {
  const items: string[] = [];
  for (const line of lines) {
    const text = item.exec(line)?.[2];
    if (text !== undefined) items.push(text);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { kind: "list", isOrdered: /^\s*\d/.test(lines[0]!), items: items.map(parseInline) };
}

/** Each part has a limit, so that text with many opening marks is still read in linear time. */
const inline =
  /`([^`]{1,400})`|\*\*(?=\S)(.{0,400}?\S)\*\*|(?<!\w)[*_](?=[^\s*_])([^*_]{0,400}[^\s*_])[*_](?!\w)|\[([^\]]{1,400})\]\(([^\s)]{1,2000})\)|<(https?:\/\/[^\s>]{1,2000})>|\\([!-/:-@[-`{-~])/g;

function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    parts.push(text.slice(end, match.index), toInline(match));
    end = match.index + match[0].length;
  }
  parts.push(text.slice(end));
  return parts.filter((part) => part !== "");
}

function toInline([whole, code, strong, emphasis, label, href, address, escaped]: RegExpExecArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong !== undefined) return { kind: "strong", content: parseInline(strong) };
  if (emphasis !== undefined) return { kind: "emphasis", content: parseInline(emphasis) };
  if (address !== undefined) return { kind: "link", href: address, content: [address] };
  if (escaped !== undefined) return escaped;
  // Only links that lead somewhere. A script in a link would run on this page.
  return /^(https?:\/\/|mailto:|[/#?])/i.test(href!) && !href!.startsWith("//")
    ? { kind: "link", href: href!, content: parseInline(label!) }
    : whole;
}
