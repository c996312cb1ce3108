import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Change } from "../../../src/features/settings/wire.ts";
import { describeChange } from "./audit-log.ts";
import { toMarkers } from "./markers.ts";

const minute = 60_000;
let lastId = 0;

function createChange(at: number, change: Partial<Change>) {
  const whole: Change = {
    id: ++lastId,
    at,
    actor: null,
    instance: "web-1",
    kind: "start",
    subject: "application",
    before: null,
    after: null,
    detail: null,
    ...change,
  };
  return { ...whole, text: describeChange(whole) };
}

const life = (release: string | null) => ({ release, annex: "0.1.0", pid: 1 });

const kindsOf = (...changes: readonly ReturnType<typeof createChange>[]) =>
  toMarkers(changes, minute).map(({ at, kind, label }) => [at, kind, label]);

describe("the markers of charts", () => {
  it("are releases, restarts and crashes, oldest first", () => {
    const found = kindsOf(
      createChange(50 * minute, { before: life("1.1"), after: life("1.1"), detail: "after a crash" }),
      createChange(30 * minute, { before: life("1.1"), after: life("1.1") }),
      createChange(20 * minute, { before: life("1.0"), after: life("1.1") }),
      createChange(10 * minute, { after: life("1.0") }),
    );
    assert.deepEqual(found, [
      [10 * minute, "release", "1.0"],
      [20 * minute, "release", "1.1"],
      [30 * minute, "restart", "1.1"],
      [50 * minute, "crash", "1.1"],
    ]);
  });

  it("include changes of settings, and no actions on jobs and accounts", () => {
    const found = kindsOf(
      createChange(1, { kind: "setting", subject: "logLevel", before: "info", after: "debug" }),
      createChange(2, { kind: "pause", subject: "report" }),
      createChange(3, { kind: "superuser-add", subject: "ada@example.com" }),
      createChange(4, { kind: "stop", before: life("1.0") }),
    );
    assert.deepEqual(found, [[1, "setting", undefined]]);
  });

  it("are one for the instances of a fleet that start one after the other", () => {
    const start = (at: number, instance: string) =>
      createChange(at, { instance, before: life("1.0"), after: life("1.1") });
    const [marker, ...others] = toMarkers([start(0, "web-1"), start(20_000, "web-2")], minute);
    assert.deepEqual(others, []);
    assert.match(marker!.text, /web-1, release 1\.1, before 1\.0\n.*web-2, release 1\.1, before 1\.0$/);
  });

  it("are restarts if the release is not known, as in entries of older versions", () => {
    assert.deepEqual(
      kindsOf(createChange(1, { after: "0.1.0" }), createChange(2 * minute, { after: life(null) })),
      [
        [1, "restart", undefined],
        [2 * minute, "restart", undefined],
      ],
    );
  });
});
