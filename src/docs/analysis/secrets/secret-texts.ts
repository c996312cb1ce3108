import type { SourceFile } from "../source/source-file.ts";
import { matchTexts } from "./match-texts.ts";
import { type FileTexts, scanTexts } from "./scan-texts.ts";

/**
 * Which texts are secrets of the source. The types of the compiler and the schemas of validators have lost the name of
 * the constant that a text came from, so there a secret is recognised by the text itself.
 */
export interface SecretTexts {
  /** The texts that only credentials hold and fallbacks of environment variables. */
  readonly texts: readonly string[];
  /** The text is one of them or contains one. */
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
  const secret = new Set([...all.flatMap((each) => [...each.secret]), ...given(true)]);
  const texts = [...secret.difference(plain)];
  const isSecret = matchTexts(texts);
  const values = environment.filter((text) => isTelling(text) && !plain.has(text));
  const isFromEnvironment = matchTexts(values);
  return {
    texts,
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
