import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { redactQuotedValues } from "./quoted-values.ts";

/** Messages as the programs write them, with their values replaced by `VALUE`. */
const messages: readonly (readonly [text: string, expected: string])[] = [
  [
    'Failed query: insert into "users" ("email") values ($1)\nparams: VALUE,b,\nVALUE',
    'Failed query: insert into "users" ("email") values ($1)\nparams: [redacted]',
  ],
  ["Duplicate entry 'VALUE' for key 'users.email'", "Duplicate entry [redacted] for key 'users.email'"],
  ["Duplicate entry 'VALUE' for key 'VALUE' for key 'a'", "Duplicate entry [redacted] for key 'a'"],
  ["Duplicate entry 'VALUE… (10 more characters)", "Duplicate entry [redacted]"],
  [
    "Incorrect integer value: 'VALUE' for column 'age' at row 1",
    "Incorrect integer value: [redacted] for column 'age' at row 1",
  ],
  ["Truncated incorrect DOUBLE value: 'VALUE'", "Truncated incorrect DOUBLE value: [redacted]"],
  [
    "BIGINT UNSIGNED value is out of range in '(1 - VALUE)'",
    "BIGINT UNSIGNED value is out of range in [redacted]",
  ],
  [
    "check the manual … for the right syntax to use near 'VALUE' at line 1",
    "check the manual … for the right syntax to use near [redacted]",
  ],
  [
    'error: invalid input syntax for type integer: "VALUE"',
    "error: invalid input syntax for type integer: [redacted]",
  ],
  ['invalid input value for enum mood: "VALUE"', "invalid input value for enum mood: [redacted]"],
  ['invalid value for parameter "a": "VALUE"', 'invalid value for parameter "a": [redacted]'],
  ['malformed array literal: "VALUE"', "malformed array literal: [redacted]"],
  ['date/time field value out of range: "VALUE"', "date/time field value out of range: [redacted]"],
  ['value "VALUE" is out of range for type integer', "value [redacted] is out of range for type integer"],
  ['time zone "VALUE" not recognized', "time zone [redacted] not recognized"],
  ['invalid value "VALUE" for "YYYY"', 'invalid value [redacted] for "YYYY"'],
  ["Key (email)=(VALUE) already exists.", "Key (email)=[redacted] already exists."],
  [
    'Key (lower(a::text), b)=(VALUE, VALUE) is not present in table "t".',
    'Key (lower(a::text), b)=[redacted] is not present in table "t".',
  ],
  [
    `Key (${"organization_id, ".repeat(40)}email)=(VALUE) already exists.`,
    `Key (${"organization_id, ".repeat(40)}email)=[redacted] already exists.`,
  ],
  ["Failing row contains (1, VALUE, null).", "Failing row contains [redacted]"],
  [
    'Could not find any entity of type "User" matching: {\n    "where": {\n        "email": "VALUE"\n    }\n}',
    'Could not find any entity of type "User" matching: [redacted]',
  ],
  [
    '\nInvalid `prisma.user.create()` invocation:\n\n{\n  data: {\n    email: "VALUE",\n+   name: String\n  }\n}\n\nArgument `name` is missing.',
    "\nInvalid `prisma.user.create()` invocation:\nArgument `name` is missing.",
  ],
  [
    'Invalid `prisma.user.create()` invocation in\n/app/a.ts:8:32\n\n  7 \n→ 8   await prisma.user.create({\n  data: { a: "VALUE" }\n})\nUnique constraint failed on the fields: (`email`)',
    "Invalid `prisma.user.create()` invocation:\nUnique constraint failed on the fields: (`email`)",
  ],
  [
    'Invalid `prisma.$queryRaw()` invocation:\n\n\nRaw query failed. Code: `22P02`. Message: `ERROR: invalid input syntax for type uuid: "VALUE\nVALUE"`',
    "Invalid `prisma.$queryRaw()` invocation:\nRaw query failed. Code: `22P02`. Message: `ERROR: invalid input syntax for type uuid: [redacted]",
  ],
  [
    "The provided value VALUE for User field age is not valid",
    "The provided value [redacted] for User field age is not valid",
  ],
  [
    "does not match\n\nThe Canonical String for this request should have been\n'GET\nVALUE'",
    "does not match\n\nThe Canonical String for this request should have been[redacted]",
  ],
  [`Unexpected token 'V', "VALUE" is not valid JSON`, "Unexpected token 'V', [redacted] is not valid JSON"],
  [
    `Unexpected token '}', ..."rd":"VALUE",}"... is not valid JSON`,
    "Unexpected token '}', ...[redacted] is not valid JSON",
  ],
  ['"VALUE" is not valid JSON', "[redacted] is not valid JSON"],
  ["Failed to parse URL from http://[VALUE", "Failed to parse URL from [redacted]"],
  [
    "Request cannot be constructed from a URL that includes credentials: http://a:VALUE@h/VALUE",
    "Request cannot be constructed from a URL that includes credentials: [redacted]",
  ],
  [
    'Headers.append: "VALUE\n" is an invalid header value.',
    "Headers.append: [redacted] is an invalid header value.",
  ],
  ["Cannot convert VALUE to a BigInt", "Cannot convert [redacted] to a BigInt"],
  ["Cannot convert VALUE… (10 more characters)", "Cannot convert [redacted]"],
  ["The provided value VALUE… (10 more characters)", "The provided value [redacted]"],
  ['time zone "VALUE', "time zone [redacted]"],
  ['invalid value "VALUE', "invalid value [redacted]"],
  ['value "VALUE" VALUE… (10 more characters)', "value [redacted]"],
  ['Headers.append: "VALUE', "Headers.append: [redacted]"],
  [`Unexpected token 'V', "VALUE" is not`, "Unexpected token 'V', [redacted]"],
  [
    "The \"path\" argument must be of type number. Received type string ('VALUE')",
    'The "path" argument must be of type number. Received type string ([redacted])',
  ],
  [
    "Invalid enum value. Expected 'a' | 'b', received 'VALUE'",
    "Invalid enum value. Expected 'a' | 'b', received [redacted]",
  ],
  ['Invalid email: Received "VALUE"', "Invalid email: Received [redacted]"],
  ['Expected a number, but received: "VALUE"', "Expected a number, but received: [redacted]"],
  ['email must be an email address (was "VALUE")', "email must be an email address (was [redacted])"],
  ['"pin" with value "VALUE" fails to match', '"pin" with value [redacted] fails to match'],
  [
    'age must be a `number` type, but the final value was: `NaN` (cast from the value `"VALUE"`).',
    "age must be a `number` type, but the final value was: `NaN` (cast from the value [redacted]",
  ],
];

const issues = [
  { code: "invalid_type", input: { a: "VALUE]" }, path: ["user", "age"], message: "Expected number" },
  { received: "VALUE", code: "invalid_literal", path: [], message: "Invalid literal" },
];

const harmless = [
  'duplicate key value violates unique constraint "users_email_key"',
  'null value in column "email" of relation "users" violates not-null constraint',
  'relation "users" does not exist',
  "UNIQUE constraint failed: users.email",
  '"undefined" is not valid JSON',
  '"[object Object]" is not valid JSON',
  `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
  "Unexpected end of JSON input",
  'The value of "offset" is out of range. It must be >= 0. Received -1',
  "The job was interrupted, because the server received SIGTERM",
  'The value "id" of the option is unknown',
];

/** Messages of applications with phrases that also occur in errors. */
const ordinary = [
  'Order 5, received "ok" from "shop" by "me"',
  'The parcel (was "lost") is "found"',
  'Saved the "theme" with value "dark" for "ada"',
  "used the provided value 5 for retries",
];

describe("issues of a validator", () => {
  const json = JSON.stringify(issues, null, 2);
  const expected = "user: age: Expected number; Invalid literal";
  it("are described without the input", () => {
    assert.equal(redactQuotedValues(json), expected);
    assert.equal(redactQuotedValues(`invalid: ${JSON.stringify(issues)}!`), `invalid: ${expected}!`);
  });
  it("are hidden if they are incomplete", () =>
    assert.equal(redactQuotedValues(`invalid: ${json.slice(0, -10)}`), "invalid: [redacted]"));
  it("are only lists with a path and a message", () => {
    const other = '[{"path":["a"],"message":"b"},{"b":1}]';
    assert.equal(redactQuotedValues(other), other);
  });
});

describe("values in messages of libraries", () => {
  for (const [text, expected] of messages) {
    it(`are hidden: ${JSON.stringify(text)}`, () => {
      assert.equal(redactQuotedValues(text, true), expected);
      assert.doesNotMatch(redactQuotedValues(text, true), /VALUE/);
    });
    it(`are hidden in a stack: ${JSON.stringify(text)}`, () => {
      const frames = "\n    at find (/app/users.ts:1:2)\n    at node:internal/process:1:1";
      const stack = redactQuotedValues(`Error: ${text}${frames}`);
      assert.equal(stack, `Error: ${expected}${frames}`);
      const output = `${stack}\nFrom previous event:\n  at run (/app/a.ts:1:2)\n\nNode.js v24.1.0\n`;
      assert.equal(redactQuotedValues(output.replace(expected, text)), output);
    });
  }
  for (const text of harmless)
    it(`are not expected in ${text}`, () => assert.equal(redactQuotedValues(text, true), text));
  for (const text of ordinary)
    it(`are ordinary words in ${text}`, () => assert.equal(redactQuotedValues(text), text));

  it("are hidden in lines that begin like a frame", () =>
    assert.equal(
      redactQuotedValues("Failed query: q\nparams: a\n    at VALUE\n    at VALUE home"),
      "Failed query: q\nparams: [redacted]",
    ));

  it("need no more than one pass over what a client repeats", { timeout: 180_000 }, () => {
    const phrases = messages.flatMap(([text]) => [text, text.split("VALUE")[0]!]);
    for (const phrase of phrases) {
      const text = phrase.repeat(Math.ceil(200_000 / phrase.length));
      assert.ok(redactQuotedValues(text, true).length <= text.length + 1_000, phrase);
    }
  });
});
