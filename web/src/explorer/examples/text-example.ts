import type { Schema } from "../../../../src/features/docs/wire.ts";
import { namedText } from "./named-values.ts";
import { patternExample } from "./pattern-example.ts";

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  duration: "P1D",
  email: "ada@example.com",
  hostname: "example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  "uri-reference": "/reports/2026",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  byte: "QW5uZXg=",
};

/** A text that fits the format, the pattern and the length, and the name of the field if possible. */
export function textExample(schema: Schema, name: string): string {
  const { format = "", pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const known = byFormat[format];
  // Formats have a fixed form. Anything else can be cut or padded.
  if (known !== undefined && matches(known, pattern)) return known;
  const wished = fit(namedText(name) ?? "text", minLength, maxLength);
  if (matches(wished, pattern)) return wished;
  const made = patternExample(pattern!) ?? "";
  // Repeating the end often still matches, such as with `[a-z]+`.
  const longer = made.padEnd(minLength, made.slice(-1) || "x");
  return matches(longer, pattern) && longer.length <= maxLength ? longer : made;
}

function fit(text: string, least: number, most: number): string {
  const padded = text.length < least ? text.padEnd(least, ` ${text}`) : text;
  return padded.slice(0, most);
}

function matches(text: string, pattern: string | undefined): boolean {
  if (pattern === undefined) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}
