import type { SourceFile } from "../source/source-file.ts";
import { type FileTexts, scanTexts } from "./scan-texts.ts";

/**
 * Which texts are secrets of the source. The types of the compiler and the schemas of validators have lost the name of
 * the constant that a text came from, so there a secret is recognised by the text itself.
 */
export interface SecretTexts {
  /** The text is, or contains, one that only credentials hold and fallbacks of environment variables. */
  isSecret(text: string): boolean;
  /** The same, or the value of an environment variable that is written nowhere in the source. */
  isSecretAtRunTime(text: string): boolean;
}

const scanned = new WeakMap<SourceFile, FileTexts>();

/** `environment`: the values of the environment variables. */
export function findSecretTexts(
  files: Iterable<SourceFile>,
  environment: readonly string[] = [],
): SecretTexts {
  const all = [...files].map(textsOf);
  const environmentFunctions = new Set(all.flatMap((each) => [...each.environmentFunctions]));
  const calls = all.flatMap((each) => each.calls);
  const isOfEnvironment = (name: string) => environmentFunctions.has(name);
  const given = (isWanted: boolean) =>
    calls.filter(({ name }) => isOfEnvironment(name) === isWanted).flatMap(({ texts }) => texts);
  // A text that other code writes as well, such as "session", tells nothing about a credential.
  const plain = new Set([...all.flatMap((each) => [...each.plain]), ...given(false)]);
  const secret = [...all.flatMap((each) => [...each.secret]), ...given(true)].filter(
    (text) => !plain.has(text),
  );
  const isSecret = createMatcher(secret);
  const values = environment.filter((text) => isTelling(text) && !plain.has(text));
  const isFromEnvironment = createMatcher(values);
  return {
    isSecret,
    isSecretAtRunTime: (text) => isSecret(text) || (!plain.has(text) && isFromEnvironment(text)),
  };
}

function textsOf(file: SourceFile): FileTexts {
  const known = scanned.get(file) ?? scanTexts(file);
  scanned.set(file, known);
  return known;
}

/** Environments are full of `1` and `C`. */
const isTelling = (text: string) => text.length >= 4;

/** Shorter texts are found in others by chance. */
const shortestPart = 8;

function createMatcher(texts: readonly string[]): (text: string) => boolean {
  const whole = new Set(texts.filter((text) => text !== ""));
  const parts = [...whole].filter((text) => text.length >= shortestPart);
  return (text) => whole.has(text) || parts.some((part) => text.includes(part));
}
