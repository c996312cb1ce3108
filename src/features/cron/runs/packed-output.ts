import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Engine } from "../../../storage/index.ts";
import type { StoredOutput } from "../tables.ts";
import type { OutputEntry } from "./output.ts";

/** A letter stands for the level of an entry. None of them begins a JSON array. */
const levels = {
  s: "start",
  i: "info",
  p: "progress",
  o: "success",
  c: "complete",
  w: "warn",
  e: "error",
} as const;

const letters = new Map(Object.entries(levels).map(([letter, level]) => [level as string, letter]));
const separator = "\u001e";
/** Shorter texts gain nothing. */
const leastDeflated = 1_024;

/**
 * Half of the JSON of a short output is the same in every run, so only levels and messages are stored. On PostgreSQL,
 * instances of an earlier release read the same rows, and the server compresses long values itself.
 */
export function packOutput(engine: Engine, json: string): StoredOutput {
  if (engine === "postgres") return json;
  const short = shorten(json);
  if (short.length < leastDeflated) return short;
  const deflated = deflateRawSync(short, { level: 3 });
  return deflated.length < short.length ? deflated : short;
}

export function unpackOutput(stored: StoredOutput): string {
  const text = typeof stored === "string" ? stored : inflateRawSync(stored).toString();
  return text.startsWith("[") ? text : lengthen(text);
}

/** Returns the text itself if it could not be restored exactly. */
function shorten(json: string): string {
  const entries = parseEntries(json);
  if (entries.length === 0) return json;
  const short = entries.map(({ level, message }) => `${letters.get(level)}${message}`).join(separator);
  return isStorable(short) && lengthen(short) === json ? short : json;
}

/** JSON has escapes for halves of surrogate pairs and for null characters. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");

/** A damaged output is stored as it is. */
function parseEntries(json: string): readonly OutputEntry[] {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}

function lengthen(short: string): string {
  const entries = short
    .split(separator)
    .map((entry) => ({ level: levels[entry[0] as keyof typeof levels], message: entry.slice(1) }));
  return JSON.stringify(entries);
}
