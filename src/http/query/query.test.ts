import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiError, FieldProblem } from "../../lib/errors/errors.ts";
import { query } from "./query.ts";
import { type Parameter, type QuerySource, readQuery } from "./read-query.ts";

const sourceOf = (text: string): QuerySource => {
  const search = new URLSearchParams(text);
  return { queryAll: (name) => search.getAll(name) };
};

const read = <T>(parameter: Parameter<T>, text: string) => readQuery(sourceOf(text), { x: parameter }).x;

const problemsOf = (act: () => unknown) => {
  let problems: Record<string, FieldProblem> | undefined;
  assert.throws(act, (error: ApiError) => {
    assert.equal(error.status, 400);
    problems = error.data as Record<string, FieldProblem>;
    assert.equal(
      error.message,
      Object.values(problems)
        .map(({ message }) => message)
        .join(" "),
    );
    return true;
  });
  return problems!;
};

const noon = Date.parse("2026-11-15T12:00:00Z");
const hourMs = 3_600_000;

const understood: [title: string, parameter: Parameter<unknown>, text: string, value: unknown][] = [
  ["the lowest integer", query.int({ min: 0, max: 9 }), "x=0", 0],
  ["the highest integer", query.int({ min: 0, max: 9 }), "x=9", 9],
  ["an integer with zeros in front", query.int({ min: 1, max: 9 }), "x=007", 7],
  ["no integer", query.int({ min: 1, max: 9 }), "", undefined],
  ["an empty integer", query.int({ min: 1, max: 9, default: 5 }), "x=", 5],
  ["the first of several", query.int({ min: 1, max: 9 }), "x=1&x=none", 1],
  ["a count", query.count({ max: 100, default: 10 }), "x=7", 7],
  ["no count", query.count({ max: 100, default: 10 }), "", 10],
  ["a count above the maximum", query.count({ max: 100, default: 10 }), "x=99999999999999999999", 100],
  ["a flag", query.flag(), "x=true", true],
  ["a flag as a number", query.flag(), "x=1", true],
  ["a flag that is off", query.flag({ default: true }), "x=false", false],
  ["a flag that is off, as a number", query.flag({ default: true }), "x=0", false],
  ["no flag", query.flag(), "", false],
  ["an empty flag", query.flag({ default: true }), "x=", true],
  ["one of several values", query.oneOf(["a", "b"]), "x=b", "b"],
  ["none of several values", query.oneOf(["a", "b"]), "", undefined],
  ["the default of several values", query.oneOf(["a", "b"], { default: "a" }), "x=", "a"],
  ["a list", query.list(["a", "b", "c"]), "x=c,a", ["c", "a"]],
  ["an empty list", query.list(["a"]), "x=", undefined],
  ["words", query.words(), "x=cpu,,network.*", ["cpu", "network.*"]],
  ["a text", query.text({ maxLength: 3 }), "x=a%00b", "a\0b"],
  ["a long text", query.text(), `x=${"y".repeat(5_000)}`, "y".repeat(5_000)],
  ["a required text", query.required("a text"), "x=a", "a"],
  ["an unsupported parameter that is empty", query.unsupported(), "x=", undefined],
  ["repeated values", query.repeated("a digit", toDigit, 3), "x=1&x=&x=2", [1, 2]],
  ["no repeated values", query.repeated("a digit", toDigit, 3), "x=", undefined],
  ["a time", query.time(), "x=2026-11-15T12:00:00Z", noon],
  ["milliseconds", query.time(), `x=${noon}`, noon],
  ["the default page", query.page({ perPage: 30 }), "", { page: 1, perPage: 30 }],
  ["a page that is too large", query.page({ perPage: 30 }), "page=2&perPage=500", { page: 2, perPage: 100 }],
  ["an empty order", query.sort(["a", "b"], "-a"), "x=", [{ field: "a", isDescending: true }]],
  ["the default order", query.sort(["a", "b"], "-a"), "", [{ field: "a", isDescending: true }]],
  [
    "an order of two fields",
    query.sort(["a", "b"], "-a"),
    "x=b,-a",
    [
      { field: "b", isDescending: false },
      { field: "a", isDescending: true },
    ],
  ],
  ["a pattern", query.matching("letters", /^[a-z]+$/), "x=abc", "abc"],
];

const refused: [parameter: Parameter<unknown>, text: string, message: string][] = [
  [query.int({ min: 1, max: 100 }), "x=0", "The value of x must be an integer from 1 to 100."],
  [query.int({ min: 1, max: 100 }), "x=101", "The value of x must be an integer from 1 to 100."],
  [query.int({ min: 1, max: 100 }), "x=1.5", "The value of x must be an integer from 1 to 100."],
  [query.int({ min: 1, max: 100 }), "x=-1", "The value of x must be an integer from 1 to 100."],
  [query.int({ min: 1, max: 100 }), "x=1e1", "The value of x must be an integer from 1 to 100."],
  [query.count({ max: 100, default: 10 }), "x=", "The value of x must be an integer of at least 1."],
  [query.count({ default: 1 }), "x=99999999999999999999", "The value of x must be an integer of at least 1."],
  [query.flag(), "x=yes", "The value of x must be true or false."],
  [query.oneOf(["a", "b"]), "x=toString", "The value of x must be one of a, b."],
  [query.oneOf(["full"]), "x=half", "The value of x must be full or omitted."],
  [query.list(["a", "b"]), "x=a,c", "The value of x must be one or more of a, b, separated by commas."],
  [query.list(["a", "b"]), "x=a,", "The value of x must be one or more of a, b, separated by commas."],
  [query.text({ maxLength: 3 }), "x=abcd", "The value of x must be a string of at most 3 characters."],
  [
    query.text({ maxLength: 3, forbidNull: true }),
    "x=%00",
    "The value of x must be a string of at most 3 characters without null characters.",
  ],
  [query.repeated("a digit", toDigit, 3), "x=1&x=y", "The value of x must be a digit."],
  [query.repeated("at most 1 digit", toDigit, 1), "x=1&x=2", "The value of x must be at most 1 digit."],
  [
    query.time(),
    "x=yesterday",
    "The value of x must be a time such as 2026-11-15T14:00:00Z, or milliseconds since the epoch.",
  ],
  [query.count({ default: 1 }), "x=1&x=2", "The value of x must be given only once."],
  [query.count({ default: 1 }), "x=1&x=", "The value of x must be given only once."],
  [query.sort(["a", "b"], "-a"), "x=a&x=b", "The value of x must be given only once."],
  ...["c", "a,", "--a", "A"].map((order): [Parameter<unknown>, string, string] => [
    query.sort(["a", "b"], "-a"),
    `x=${order}`,
    "The value of x must be a list of a, b, each with a minus for descending order.",
  ]),
  [query.matching("letters", /^[a-z]+$/), "x=1", "The value of x must be letters."],
];

function toDigit(text: string): number | undefined {
  return /^\d$/.test(text) ? Number(text) : undefined;
}

describe("a query parameter", () => {
  for (const [title, parameter, text, value] of understood)
    it(`is read: ${title}`, () => assert.deepEqual(read(parameter, text), value));

  for (const [parameter, text, message] of refused)
    it(`is refused: ${text} ${message}`, () =>
      assert.deepEqual(
        problemsOf(() => read(parameter, text)),
        { x: { code: "invalid", message } },
      ));

  it("can be required", () => {
    for (const text of ["", "x="])
      assert.deepEqual(
        problemsOf(() => read(query.required("a text"), text)),
        { x: { code: "required", message: "x is required: a text." } },
      );
  });

  it("can be unsupported", () => {
    const problem = { code: "unsupported", message: "The query parameter x is not supported." };
    assert.deepEqual(
      problemsOf(() => read(query.unsupported(), "x=1")),
      { x: problem },
    );
  });
});

describe("a window", () => {
  const lastHour = query.window({ to: noon, from: (to) => to - hourMs });

  for (const [text, expected] of [
    ["", { from: noon - hourMs, to: noon }],
    ["from=&to=", { from: noon - hourMs, to: noon }],
    ["to=3600001", { from: 1, to: 3_600_001 }],
    ["from=5&to=7", { from: 5, to: 7 }],
    ["from=0&to=7", { from: 0, to: 7 }],
  ] as const)
    it(`is read: ${text || "nothing"}`, () => assert.deepEqual(read(lastHour, text), expected));

  it("is refused with an invalid time", () => {
    assert.deepEqual(Object.keys(problemsOf(() => read(lastHour, "from=x&to=y"))), ["from", "to"]);
  });

  it("is refused if it ends before it begins", () => {
    assert.deepEqual(
      problemsOf(() => read(lastHour, "from=7&to=7")),
      { to: { code: "invalid", message: "The value of to must be later than from." } },
    );
  });
});

describe("several query parameters", () => {
  const declared = {
    limit: query.int({ min: 1, max: 9, default: 5 }),
    low: query.int({ min: 0, max: 9, default: 0 }),
    high: query.int({ min: 0, max: 9, default: 9 }),
    page: query.page({ perPage: 30 }),
  };
  const outOfOrder = { code: "invalid", message: "The value of high must be no less than low." };
  const findConflicts = ({ low = 0, high = low }: { low?: number; high?: number }) =>
    high < low ? { high: outOfOrder } : {};

  it("are read together, with their types", () => {
    const { limit, page } = readQuery(sourceOf("page=2"), declared, findConflicts);
    const sum: number = limit + page.page + page.perPage;
    assert.equal(sum, 37);
  });

  it("are refused together, with the conflicts between the valid ones", () => {
    const problems = problemsOf(() =>
      readQuery(sourceOf("limit=0&low=3&high=2&perPage=x"), declared, findConflicts),
    );
    assert.deepEqual(Object.keys(problems).sort(), ["high", "limit", "perPage"]);
    assert.deepEqual(problems.high, outOfOrder);
  });

  it("have no conflict with an invalid one", () => {
    const problems = problemsOf(() => readQuery(sourceOf("low=3&high=x"), declared, findConflicts));
    assert.match(problems.high!.message, /an integer from 0 to 9/);
  });
});
