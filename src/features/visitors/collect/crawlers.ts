import crawlers from "crawler-user-agents";

/** Returns the name of a crawler, based on its user agent. */
export type FindCrawler = (agent: string) => string | undefined;

interface Entry {
  readonly pattern: string;
  // Missing in the package's types, but present in every entry.
  readonly tags?: readonly string[];
}

const entries = crawlers as readonly Entry[];

/** All known crawlers. */
export const findCrawler = createFinder(entries);

/** Crawlers that collect or fetch pages for language models. */
export const findAiCrawler = createFinder(entries.filter(({ tags }) => tags?.includes("ai-crawler")));

/**
 * Combines the patterns into one regular expression. Almost all patterns are plain text, so the match identifies the
 * pattern; only the few others are then tried one by one.
 */
function createFinder(list: readonly Entry[]): FindCrawler {
  const joined = new RegExp(list.map(({ pattern }) => `(?:${pattern})`).join("|"));
  const texts = new Map<string, string>();
  const others: { pattern: RegExp; name: string }[] = [];
  for (const { pattern } of list) {
    const text = pattern.replace(/\\([^\w\s])/g, "$1");
    if (isPlain(pattern)) texts.set(text, crawlerName(pattern));
    else others.push({ pattern: new RegExp(pattern), name: crawlerName(pattern) });
  }
  return (agent) => {
    const found = joined.exec(agent)?.[0];
    if (found === undefined) return undefined;
    return texts.get(found) ?? others.find(({ pattern }) => pattern.test(agent))?.name;
  };
}

function isPlain(pattern: string): boolean {
  return !/[\\^$.*+?()[\]{}|]/.test(pattern.replace(/\\[^\w\s]/g, ""));
}

/** Derives a readable name: `[cC]laude[bB]ot` is ClaudeBot, and `Googlebot\/` is Googlebot. */
export function crawlerName(pattern: string): string {
  const name = pattern
    .replace(/\(([^|()]*)[^()]*\)/g, "$1")
    .replace(/\|.*$/, "")
    .replace(/\[\\s\\S\].*$/, "")
    .replace(/\[\^[^\]]*\]/g, "")
    .replace(/\[([^\]]*)\]/g, (_, letters: string) => /[A-Z]/.exec(letters)?.[0] ?? letters[0]!)
    .replace(/\\d\+?/g, "")
    .replace(/\\(.)/g, "$1")
    .replace(/^[^\w]+|[^\w!)]+$/g, "");
  return name.slice(0, 40);
}
