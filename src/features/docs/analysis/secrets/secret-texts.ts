import type { SourceFile } from "../source/source-file.ts";
import { matchTexts } from "./match-texts.ts";
import { type FileTexts, scanTexts } from "./scan-texts.ts";

/**
 * Identifies the secrets in the source by their text. Compiler types and validator schemas no longer have the name of
 * the constant that a string came from.
 */
export interface SecretTexts {
  /** The strings used only for credentials, and the fallbacks of environment variables. */
  readonly texts: readonly string[];
  /** Whether the text equals or contains one of them. */
  isSecret(text: string): boolean;
  /** The same, or whether it is the value of an environment variable that occurs nowhere in the source. */
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
  // A string that other code also uses, such as "session", is not a secret.
  const plain = new Set([...all.flatMap((each) => [...each.plain]), ...given(false)]);
  const secret = new Set([...all.flatMap((each) => [...each.secret]), ...given(true)]);
  const texts = [...secret.difference(plain)];
  const isSecret = matchTexts(texts);
  const values = environment.filter((text) => isDescriptive(text) && !plain.has(text));
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

/** Environments often contain short values such as `1` and `C`. */
const isDescriptive = (text: string) => text.length >= 4;
