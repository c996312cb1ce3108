import { createToPlain } from "../lib/plain-data.ts";
import { defaultRedactor } from "../lib/redactor.ts";
import { isSensitiveName, redacted } from "../lib/sensitive-names.ts";
import type { ConfigEntry, ConfigSource } from "../settings/index.ts";

/** An option and the source of its value. */
export interface FoundOption {
  readonly name: string;
  readonly variable: string | undefined;
  readonly source: ConfigSource;
  /** The value before parsing. */
  readonly given: unknown;
  readonly value: unknown;
  readonly fallback: unknown;
}

/** Describes an option for display, with secrets redacted. */
export function describeOption({ name, variable, source, given, value, fallback }: FoundOption): ConfigEntry {
  return {
    name,
    group: groupOf(name),
    value: showValue(name, isAddressList(name) ? given : value),
    source,
    ...(variable !== undefined && { variable }),
    default: showValue(name, fallback),
  };
}

const groups = [
  "server",
  "log",
  "cron",
  "metrics",
  "visitors",
  "docs",
  "auth",
  "access",
  "shutdown",
  "limits",
];
const groupsOfSingles: Record<string, string> = {
  logLevel: "log",
  versions: "docs",
  specsDir: "docs",
  docsSources: "docs",
};

function groupOf(name: string): string {
  return name.includes(".") ? name.split(".")[0]! : (groupsOfSingles[name] ?? "server");
}

/** Sorts the options by group. */
export function inGroups(entries: readonly ConfigEntry[]): ConfigEntry[] {
  return entries.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
}

/** Returns plain data unchanged, redacts secrets, and describes other values in words. */
function showValue(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (isSecret(name)) return redacted;
  if (name === "database") return showDatabase(String(value));
  if (name === "migrations") return Object.keys(value);
  if (isAddressList(name) && typeof value === "string") return value.split(",").map((each) => each.trim());
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" ? showObject(value) : value;
}

/** Address lists are parsed into functions, so the original value is shown. */
function isAddressList(name: string): boolean {
  return name === "trustedProxies" || name === "auth.allowedAddresses";
}

export function isSecret(name: string): boolean {
  return isSensitiveName(name.split(".").at(-1)!);
}

/** Server, port and database name. The user info and the query may contain a user name and a password. */
function showDatabase(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "postgres://…";
}

function showObject(value: object): string {
  return "write" in value ? "a stream" : `an object (${value.constructor?.name ?? "Object"})`;
}

const toPlain = createToPlain(defaultRedactor);

/** Formats an invalid value for a message, without the password of a database URL. */
export function quoteValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(defaultRedactor.text(withoutPassword(value)));
  return typeof value === "object" ? JSON.stringify(toPlain(value).value) : String(value);
}

/** Works for invalid URLs too, where a password may contain any character. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/.*@/s, `//${redacted}@`).replace(/(password=)[^&]*/gi, `$1${redacted}`);
}
