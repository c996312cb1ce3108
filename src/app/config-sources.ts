import { createToPlain } from "../lib/plain-data.ts";
import { defaultRedactor } from "../lib/redactor.ts";
import { isSensitiveName, redacted } from "../lib/sensitive-names.ts";
import type { ConfigEntry, ConfigSource } from "../settings/index.ts";

/** An option as it was found. */
export interface FoundOption {
  readonly name: string;
  readonly variable: string | undefined;
  readonly source: ConfigSource;
  /** As it was given, before it was read. */
  readonly given: unknown;
  readonly value: unknown;
  readonly fallback: unknown;
}

/** What is shown of it. */
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

/** What belongs together stands together. */
export function inGroups(entries: readonly ConfigEntry[]): ConfigEntry[] {
  return entries.toSorted((one, other) => groups.indexOf(one.group) - groups.indexOf(other.group));
}

/** Data as it is, secrets covered, and a word for what is neither. */
function showValue(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (isSecret(name)) return redacted;
  if (name === "database") return showDatabase(String(value));
  if (name === "migrations") return Object.keys(value);
  if (isAddressList(name) && typeof value === "string") return value.split(",").map((each) => each.trim());
  if (Array.isArray(value)) return value.map(String);
  return typeof value === "object" ? showObject(value) : value;
}

/** These are shown as they were given: they are parsed into functions. */
function isAddressList(name: string): boolean {
  return name === "trustedProxies" || name === "auth.allowedAddresses";
}

export function isSecret(name: string): boolean {
  return isSensitiveName(name.split(".").at(-1)!);
}

/** Server, port and name. User and password may stand before the server, and behind the question mark too. */
function showDatabase(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "postgres://…";
}

function showObject(value: object): string {
  return "write" in value ? "a stream" : `an object (${value.constructor?.name ?? "Object"})`;
}

const toPlain = createToPlain(defaultRedactor);

/** A wrong value as a message shows it, without the password of a database address. */
export function quoteValue(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(defaultRedactor.text(withoutPassword(value)));
  return typeof value === "object" ? JSON.stringify(toPlain(value).value) : String(value);
}

/** Also from an address that is not valid, where a password may contain any character. */
function withoutPassword(text: string): string {
  return text.replace(/\/\/.*@/s, `//${redacted}@`).replace(/(password=)[^&]*/gi, `$1${redacted}`);
}
