import { resolve } from "node:path";
import { parseTimezone } from "../cron/index.ts";
import { APIVersionManager } from "../docs/index.ts";
import { type ProxyTrust, parseTrustedProxies } from "../http/index.ts";
import { isLogLevel, type LoggingOptions, type LogLevel, levelNames } from "../logging/index.ts";
import type { Migration } from "../storage/index.ts";

/** Parses a value from code, the environment or a form. The message of a thrown error describes the expected value. */
export type Parse<T> = (value: unknown) => T;

export const text =
  (what: string): Parse<string> =>
  (value) => {
    if (typeof value === "string" && value.trim() !== "") return value;
    throw new Error(what);
  };

/** The absolute path of a folder. */
export const folder: Parse<string> = (value) => resolve(text("the path of a folder")(value));

export const shortName: Parse<string> = (value) => {
  if (typeof value === "string" && /^[\x21-\x7e]{1,100}$/.test(value)) return value;
  throw new Error("a name of 1 to 100 printable ASCII characters without spaces");
};

/** Short tokens can be guessed, and guessing a token does not lock an account. */
export const longToken: Parse<string> = (value) => {
  if (typeof value === "string" && /^[\x21-\x7e]{16,}$/.test(value)) return value;
  throw new Error("at least 16 printable ASCII characters without spaces");
};

export const wholeNumber =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const number = numberOf(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new Error(`an integer from ${least} to ${most}`);
  };

export const positiveNumber: Parse<number> = (value) => {
  const number = numberOf(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new Error("a number greater than 0");
};

/** Numbers arrive from the environment as text. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

export const boolean: Parse<boolean> = (value) => {
  if (typeof value === "boolean") return value;
  throw new Error("true or false");
};

/** Like `boolean`, but accepts the spellings that are used in environment variables. */
export const flag: Parse<boolean> = (value) => {
  if (value === "true" || value === "1") return true;
  return value === "false" || value === "0" ? false : boolean(value);
};

export const oneOf =
  <T extends string>(allowed: readonly T[]): Parse<T> =>
  (value) => {
    if (allowed.includes(value as T)) return value as T;
    throw new Error(`one of ${allowed.join(", ")}`);
  };

export const logLevel: Parse<LogLevel> = (value) => {
  if (isLogLevel(value)) return value;
  throw new Error(`one of ${levelNames.join(", ")}`);
};

export const listOfText: Parse<string[]> = (value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw new Error("a list of names");
};

export const listOfPaths: Parse<string[]> = (value) => {
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && /^[/*]/.test(item)))
    return value;
  throw new Error("a list of paths such as /blog/*");
};

export const destinationOf: Parse<LoggingOptions["destination"]> = (value) => {
  if (typeof value === "string" && value !== "") return value;
  if (typeof value === "object" && value !== null && "write" in value)
    return value as LoggingOptions["destination"];
  throw new Error('"stdout", "stderr", the path of a file, or a stream');
};

export const databaseUrl: Parse<string> = (value) => {
  if (typeof value === "string" && /^postgres(ql)?:\/\//.test(value)) return value;
  throw new Error("a URL that begins with postgres://");
};

export const trustedProxies: Parse<ProxyTrust | undefined> = (value) => {
  const entries = typeof value === "string" ? value.split(",").map((entry) => entry.trim()) : value;
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === "string"))
    throw new Error("a list of addresses and networks such as 10.0.0.0/8");
  try {
    return parseTrustedProxies(entries);
  } catch (error) {
    throw new Error(`a list of addresses and networks (${(error as Error).message})`);
  }
};

/** Returns a function that checks whether an address is in the list. An empty list would lock out all superusers. */
export const allowedAddresses: Parse<((address: string) => boolean) | undefined> = (value) => {
  const list = trustedProxies(value);
  if (list === undefined) throw new Error("a list with at least one address or network such as 10.0.0.0/8");
  return list.isTrusted;
};

export const timezone: Parse<string> = (value) => {
  try {
    return parseTimezone(value).name;
  } catch {
    throw new Error("an IANA time zone name such as Europe/Berlin or UTC");
  }
};

export const versionManager: Parse<APIVersionManager> = (value) => {
  if (value instanceof APIVersionManager) return value;
  throw new Error("an APIVersionManager");
};

export const migrationsOf: Parse<Record<string, Migration>> = (value) => {
  const isMigration = (entry: unknown) => typeof (entry as Migration | null)?.up === "function";
  if (typeof value === "object" && value !== null && Object.values(value).every(isMigration)) {
    return value as Record<string, Migration>;
  }
  throw new Error("an object of migrations by name, each with an up function");
};
