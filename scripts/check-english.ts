/**
 * Counts words and constructions that are unusual in technical English, per 1,000 words, and lists where they occur:
 * `npm run check:english`, or with paths, `npm run check:english -- src/http docs`.
 *
 * In code, identifiers are split into words, so a name such as `answerOf` is found like the word in a sentence. A hit is
 * a place to look at: `handler.answer` may be the right word for once.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** What to write instead is in the name. */
const constructions: Readonly<Record<string, RegExp>> = {
  "respond, response": /\banswer(?:s|ed|ing|able)?\b/g,
  "show, report, return": /\b(?:un)?t(?:ell|ells|elling|old)\b/g,
  "metrics, numbers": /(?<![</])\bfigures?\b/g,
  "name the role": /\b(?:some|no|any|every)body\b|\bwhoever\b/g,
  "is, are": /\b(?:stands?|lies)\b(?! (?:for|alone|out))/g,
  "permanently, immediately, automatically": /\b(?:for good|at once|by itself|in good order|in vain)\b/g,
  "is not a": /(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|such|need|way|reason)\w+/g,
  // A clause with a verb of its own, as in "what remains is removed". "What a route returns." only labels a field.
  "name the subject":
    /(?<=^|[.;:] |\band )what (?!happens|to )(?:\w+ ){1,8}?(?<!what )(?:is|are|was|were|counts|goes|comes|fails|belongs)\b(?! [^.;:]*\?)/gm,
  "two sentences": /\bwhich (?:after|before|during|without)\b|\bmay be never\b/g,
  "even, including": /\balso (?:when|by|where|after|while|what|those|one)\b/g,
  possessive: /\bof (?:which|whom|ours|theirs)\b/g,
};

interface Place {
  readonly file: string;
  readonly line: number;
  readonly instead: string;
  readonly text: string;
}

function listFiles(given: readonly string[]): string[] {
  const wanted =
    given.length > 0 ? given : ["src", "web/src", "scripts", "docs", "README.md", "CONTRIBUTING.md"];
  const files = wanted.flatMap((path) =>
    statSync(join(root, path)).isDirectory() ? globSync(`${path}/**/*.{ts,tsx,md}`, { cwd: root }) : [path],
  );
  return files.filter((file) => !/\.test\.tsx?$|\/testing\/|check-english/.test(file)).sort();
}

/** Words in lower case. Code in Markdown is left out, because it quotes names that cannot change. */
function toWords(line: string, isProse: boolean): string {
  if (isProse) return line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, " ").toLowerCase();
  return line
    .replace(comment, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
}

function readProse(text: string): string {
  return text.replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/[^\n]/g, ""));
}

/** The beginning of a line of a comment. */
const comment = /^\s*(?:\/\*\*?|\*\/?|\/\/) ?/;

/** Whether a line continues the sentence of the one before: a line of a paragraph or of a comment. */
function continues(line: string, before: string | undefined, isProse: boolean): boolean {
  if (before === undefined || before.trim() === "" || line.trim() === "") return false;
  if (isProse) return !/^\s*(?:[-*|#>]|\d+\.)/.test(line);
  return /^\s*(?:\*(?!\/)|\/\/)/.test(line) && comment.test(before);
}

/** The unusual places of a text. A sentence may continue on the next line. */
export function findUnusual(text: string, isProse: boolean): { words: number; found: Omit<Place, "file">[] } {
  const lines = (isProse ? readProse(text) : text).split("\n");
  const starts: number[] = [];
  let joined = "";
  for (const [index, line] of lines.entries()) {
    if (index > 0) joined += continues(line, lines[index - 1], isProse) ? " " : "\n";
    starts.push(joined.length);
    joined += toWords(line, isProse).trim();
  }
  const lineAt = (position: number) => starts.findLastIndex((start) => start <= position) + 1;
  const found = Object.entries(constructions).flatMap(([instead, pattern]) =>
    [...joined.matchAll(pattern)].map((match) => ({
      line: lineAt(match.index),
      instead,
      text: match[0].trim(),
    })),
  );
  return { words: joined.match(/[a-z]+/g)?.length ?? 0, found };
}

function check(file: string): { words: number; places: Place[] } {
  const { words, found } = findUnusual(readFileSync(join(root, file), "utf8"), file.endsWith(".md"));
  return { words, places: found.map((place) => ({ file, ...place })) };
}

function main(): void {
  const checked = listFiles(process.argv.slice(2)).map(check);
  const places = checked.flatMap((each) => each.places);
  const words = checked.reduce((sum, each) => sum + each.words, 0);
  for (const { file, line, text, instead } of places) console.log(`${file}:${line}  "${text}" → ${instead}`);
  console.log(
    `${((1_000 * places.length) / words).toFixed(2)} per 1,000 words (${places.length} in ${words})`,
  );
}

if (import.meta.main) main();
