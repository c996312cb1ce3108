import crawlers from "crawler-user-agents";

/** Finds the name of a crawler in what it says of itself. */
export type FindCrawler = (agent: string) => string | undefined;

interface Entry {
  readonly pattern: string;
  // Its types do not say so, but each has some.
  readonly tags?: readonly string[];
}

const entries = crawlers as readonly Entry[];

/** Any crawler that is known by name. */
export const findCrawler = createFinder(entries);

/** Those that collect or fetch pages for language models. */
export const findAiCrawler = createFinder(entries.filter(({ tags }) => tags?.includes("ai-crawler")));

/**
 * The patterns are joined into one, which is tried in a single pass. Almost all of them are plain text, so what was
 * found tells which one it was; only the few others are then tried one by one.
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

/** What a person would call it: `[cC]laude[bB]ot` is ClaudeBot, and `Googlebot\/` is Googlebot. */
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
