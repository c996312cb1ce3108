import { redactHeader, redactText } from "./redact-text.ts";
import { createSensitiveNames, isSensitiveParameter, redacted } from "./sensitive-names.ts";

/** Redacts secrets, including the names from `log.redact`. All features of an application share one instance. */
export interface Redactor {
  /** Fields of errors to log in addition to those that never contain values, from `log.errorFields`. */
  readonly errorFields: readonly string[];
  /** Whether a field with this name contains a secret. */
  isSensitive(name: string): boolean;
  /** Returns the text without credentials. */
  text(text: string): string;
  header(name: string, value: string): string;
  /** Returns the path of a request without secret path values, such as in `/reset/{token}`. */
  path(path: string, pattern?: string): string;
}

/** Names are cached. The cache is limited, because an application may log keys that clients choose. */
const maxRemembered = 2_000;

export function createRedactor(extra: readonly string[] = [], errorFields: readonly string[] = []): Redactor {
  const isSensitive = remember(createSensitiveNames(extra));
  const isParameter = remember((name) => isSensitive(name) || isSensitiveParameter(name));
  const rules = { isSensitiveName: isSensitive, isSensitiveParameter: isParameter };
  const secretSegments = remember((pattern) => findSecretSegments(pattern, isSensitive));
  return {
    errorFields: errorFields.filter((name) => !partsOfErrors.has(name)),
    isSensitive,
    text: (text) => redactText(text, rules),
    header: (name, value) => redactHeader(name, value, rules),
    path(path, pattern) {
      const secrets = pattern === undefined ? none : secretSegments(pattern);
      const plain = secrets.length === 0 ? path : hideSegments(path, secrets);
      const isSuspicious = plain.includes("=") || plain.includes("%") || plain.includes("eyJ");
      return isSuspicious ? redactText(plain, rules) : plain;
    },
  };
}

/** Always logged, and redacted in their own way. */
const partsOfErrors: ReadonlySet<string> = new Set(["name", "message", "stack", "cause", "errors"]);

/** For use without an application, such as on the command line. */
export const defaultRedactor: Redactor = createRedactor();

function remember<T>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= maxRemembered) known.clear();
    const result = find(name);
    if (name.length <= 200) known.set(name, result);
    return result;
  };
}

interface Segment {
  readonly index: number;
  /** Whether it is a `{rest...}` segment, which matches all remaining segments. */
  readonly isRest: boolean;
}

const none: readonly Segment[] = [];

function findSecretSegments(pattern: string, isSensitive: (name: string) => boolean): readonly Segment[] {
  const secrets = pattern.split("/").flatMap((text, index) => {
    const [, name, rest] = /\{([^}.]+)(\.\.\.)?\}/.exec(text) ?? [];
    return name !== undefined && isSensitive(name) ? [{ index, isRest: rest !== undefined }] : [];
  });
  return secrets.length === 0 ? none : secrets;
}

function hideSegments(path: string, secrets: readonly Segment[]): string {
  const segments = path.split("/");
  for (const { index, isRest } of secrets) {
    if (index >= segments.length) continue;
    segments[index] = redacted;
    if (isRest) segments.length = index + 1;
  }
  return segments.join("/");
}
