import type { Random } from "./random.ts";

/** Texts that parsers, queries, patterns and terminals have stumbled over. */
const texts = [
  "",
  " ",
  "0",
  "-1",
  "1e309",
  "NaN",
  "null",
  "undefined",
  "true",
  "[]",
  "{}",
  "../../etc/passwd",
  "..%2f..%2f",
  "%",
  "%00",
  "%zz",
  "%c0%af",
  "\u0000",
  "\u202e",
  "\ud800",
  "𝕊😀",
  "a".repeat(300),
  "a".repeat(5_000),
  "'; drop table annex_superusers; --",
  "' or '1'='1",
  "\\",
  '"',
  "<script>alert(1)</script>",
  "=cmd|' /C calc'!A0",
  "{{7*7}}",
  "\r\nX-Injected: yes",
  "\u001b[2J",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "(a+)+$",
  "*".repeat(50),
  "{name}",
  "{rest...}",
  "2026-02-30T25:61:61Z",
  "9999-12-31T23:59:59.999Z",
  "-271821-04-20T00:00:00.000Z",
  "9007199254740993",
  "Europe/Berlin",
  "Mars/Olympus",
  "* * * * *",
  "ada@example.com",
  "correct horse battery",
  "v1",
  "v2",
  "debug",
  "info",
  "logLevel",
  "__svcLogClean__",
] as const;

const numbers = [0, -0, 1, -1, 0.5, 1e21, -1e21, 2 ** 31, 2 ** 53, Number.MAX_VALUE, 5e-324] as const;

export function text(random: Random): string {
  if (random.chance(0.75)) return random.pick(texts);
  return String.fromCharCode(...random.several(1, 12, () => random.below(random.chance(0.5) ? 128 : 0xffff)));
}

/** A value that JSON can carry. */
export function json(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 4 : 6);
  if (kind === 0) return random.pick([null, true, false]);
  if (kind === 1) return random.pick(numbers);
  if (kind < 4) return text(random);
  if (kind === 4) return random.several(0, 4, () => json(random, depth + 1));
  return Object.fromEntries(random.several(0, 4, () => [fieldName(random), json(random, depth + 1)]));
}

/** Names that the program itself reads, so that a value often reaches the code behind them. */
const fieldNames = [
  "identity",
  "password",
  "passwordConfirm",
  "oldPassword",
  "currentPassword",
  "email",
  "next",
  "setup",
  "timezone",
  "value",
  "minutes",
  "name",
  "title",
  "done",
  "text",
  "page",
  "perPage",
  "sort",
  "filter",
  "from",
  "to",
  "limit",
  "cursor",
  "level",
  "status",
  "method",
  "path",
  "route",
  "duration",
  "trace",
  "kind",
  "view",
  "format",
  "account",
  "address",
  "q",
] as const;

export function fieldName(random: Random): string {
  return random.chance(0.8) ? random.pick(fieldNames) : text(random);
}

/** Inserts, removes, repeats and changes bytes. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  let result = bytes;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(result.length + 1);
    const end = Math.min(result.length, at + random.below(20));
    const middle = random.pick([
      Buffer.alloc(0),
      Buffer.concat([result.subarray(at, end), result.subarray(at, end)]),
      Buffer.from([random.below(256)]),
      Buffer.from("\r\n"),
      Buffer.from("--"),
    ]);
    result = Buffer.concat([result.subarray(0, at), middle, result.subarray(end)]);
  }
  return result;
}
