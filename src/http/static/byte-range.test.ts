import assert from "node:assert/strict";
import { it } from "node:test";
import { Random } from "../testing/random.ts";
import { parseRange } from "./byte-range.ts";

const cases: [header: string, size: number, expected: ReturnType<typeof parseRange>][] = [
  ["bytes=0-0", 10, { first: 0, last: 0 }],
  ["bytes=0-9", 10, { first: 0, last: 9 }],
  ["bytes=2-5", 10, { first: 2, last: 5 }],
  ["bytes=2-500", 10, { first: 2, last: 9 }],
  ["bytes=9-", 10, { first: 9, last: 9 }],
  ["bytes=-1", 10, { first: 9, last: 9 }],
  ["bytes=-10", 10, { first: 0, last: 9 }],
  ["bytes=-500", 10, { first: 0, last: 9 }],
  ["Bytes=0-1", 10, { first: 0, last: 1 }],
  [" bytes=0-1 ", 10, { first: 0, last: 1 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=10-20", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-5", 0, "unsatisfiable"],
  [`bytes=${"9".repeat(400)}-`, 10, "unsatisfiable"],
  [`bytes=0-${"9".repeat(400)}`, 10, { first: 0, last: 9 }],
  [`bytes=-${"9".repeat(400)}`, 10, { first: 0, last: 9 }],
  // Ignored: the whole file is sent.
  ["bytes=5-2", 10, undefined],
  ["bytes=0-1,3-4", 10, undefined],
  ["bytes=0-1,", 10, undefined],
  ["bytes=", 10, undefined],
  ["bytes=-", 10, undefined],
  ["bytes=a-b", 10, undefined],
  ["bytes=0x1-2", 10, undefined],
  ["bytes=1.5-2", 10, undefined],
  ["bytes=--5", 10, undefined],
  ["bytes= 0-1", 10, undefined],
  ["bytes 0-1", 10, undefined],
  ["lines=0-1", 10, undefined],
  ["", 10, undefined],
];

for (const [header, size, expected] of cases) {
  it(`parses Range ${JSON.stringify(header.slice(0, 30))} of ${size} bytes`, () => {
    assert.deepEqual(parseRange(header, size), expected);
  });
}

/** The positions that a well-formed range means, one by one. */
function selectPositions(first: string, last: string, size: number): number[] {
  const all = Array.from({ length: size }, (_, position) => position);
  if (first === "") return all.slice(Math.max(0, size - Number(last)));
  return all.filter((position) => position >= Number(first) && (last === "" || position <= Number(last)));
}

it("selects the same bytes as a search position by position", () => {
  const random = new Random(416);
  const numbers = ["", "0", "1", "2", "3", "5", "8", "13", "007"];
  for (let count = 0; count < 5_000; count++) {
    const [first, last] = [random.pick(numbers), random.pick(numbers)];
    const size = random.below(12);
    const header = `bytes=${first}-${last}`;
    const range = parseRange(header, size);
    const isValid = first === "" ? last !== "" : last === "" || Number(last) >= Number(first);
    if (!isValid) {
      assert.equal(range, undefined, header);
      continue;
    }
    const selected = selectPositions(first, last, size);
    const expected = selected.length === 0 ? "unsatisfiable" : { first: selected[0], last: selected.at(-1) };
    assert.deepEqual(range, expected, `${header} of ${size}`);
  }
});

it("never leaves the file, whatever the header contains", () => {
  const random = new Random(206);
  const parts = ["bytes=", "bytes", "=", "-", ",", " ", "0", "1", "7", "99", "1e3", "∞", "\u0000", "-1"];
  for (let count = 0; count < 5_000; count++) {
    const header = random.list(8, () => random.pick(parts)).join("");
    const size = random.below(20);
    const range = parseRange(header, size);
    if (range === undefined || range === "unsatisfiable") continue;
    assert.ok(0 <= range.first && range.first <= range.last && range.last < size, header);
  }
});
