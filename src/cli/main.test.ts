import assert from "node:assert/strict";
import { test } from "node:test";
import { commands, main } from "./main.ts";

const cases: [args: string[], code: number][] = [
  [[], 64],
  [["--help"], 0],
  [["-h"], 0],
  [["help"], 0],
];

for (const [args, code] of cases) {
  test(`"annex ${args.join(" ")}" lists the commands and ends with ${code}`, async (t) => {
    const write = t.mock.method(process.stdout, "write", () => true);
    const ended = main(args);
    const printed = write.mock.calls.map(({ arguments: [text] }) => String(text)).join("");
    write.mock.restore();
    assert.equal(await ended, code);
    for (const { name, summary } of commands) assert.match(printed, new RegExp(`  ${name} +${summary}\n`));
  });
}
