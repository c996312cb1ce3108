import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Traced } from "../../../lib/trace-context.ts";
import { Attribution, findShownFrame, type Sample } from "./attribution.ts";

const one: Traced = { traceId: "one" };
const other: Traced = { traceId: "other" };
const frame = (name: string, file = "/app/main.ts") => ({ name, file, line: 1, column: 1 });

/** Samples every 20 ms, each taken at once. */
function attribute(...works: readonly (Traced | undefined)[]): Attribution {
  const attribution = new Attribution();
  for (const [index, work] of works.entries()) attribution.add(sampleAt(index * 20, { work }));
  return attribution;
}

function sampleAt(at: number, changes: Partial<Sample> = {}): Sample {
  return { askedAt: at, at: at + 1, work: undefined, callback: 1, frames: [frame("work")], ...changes };
}

describe("the cause of a stall", () => {
  it("is the work that was seen all the time", () => {
    assert.partialDeepStrictEqual(attribute(one, one, one).find(), { work: one, isCertain: true });
  });

  it("is the work that was seen for most of the time", () => {
    assert.equal(attribute(other, one, one, one, one).find()?.work, one);
  });

  it("is not known after one sample, which also shows a short callback", () => {
    assert.equal(attribute(one).find(), undefined);
  });

  it("is not known if many callbacks took turns", () => {
    assert.equal(attribute(one, other, one, other, one, other).find(), undefined);
  });

  it("is not known without samples", () => {
    assert.equal(attribute().find(), undefined);
  });

  it("can be code of no request, in one callback", () => {
    assert.deepEqual(attribute(undefined, undefined, undefined).find()?.work, undefined);
    const attribution = new Attribution();
    for (const callback of [1, 2, 3, 4]) attribution.add(sampleAt(callback * 20, { callback }));
    assert.equal(attribution.find(), undefined);
  });

  it("is likely, but not certain, if native code let no sample be taken before it returned", () => {
    const attribution = new Attribution();
    attribution.add({ ...sampleAt(300, { work: one }), askedAt: 20 });
    assert.partialDeepStrictEqual(attribution.find(), { work: one, isCertain: false });
  });

  it("has the stack that was seen most often", () => {
    const attribution = new Attribution();
    for (const [index, name] of ["load", "sort", "sort", "print"].entries())
      attribution.add(sampleAt(index * 20, { work: one, frames: [frame("node", "node:fs"), frame(name)] }));
    assert.equal(attribution.find()?.frames[1]?.name, "sort");
  });
});

describe("the function that is shown", () => {
  const ofNode = frame("readFileSync", "node:fs");
  const ofLanguage = { line: 1, column: 1, name: "parse" };
  const ofPackage = frame("sort", "file:///app/node_modules/lodash/sort.js");
  const ofPackageOnWindows = frame("sort", "C:\\app\\node_modules\\lodash\\sort.js");
  const ofAnnex = frame("dispatch", new URL("../../../http/server/dispatch.ts", import.meta.url).href);
  const ofApplication = frame("report");
  for (const [name, frames, shown] of [
    ["is the innermost one of the application", [ofNode, ofPackage, ofApplication, ofAnnex], ofApplication],
    ["is not of a package on Windows", [ofPackageOnWindows, ofApplication], ofApplication],
    ["is of a package without one of the application", [ofLanguage, ofPackage, ofAnnex], ofPackage],
    ["is of Annex without any other", [ofNode, ofAnnex], ofAnnex],
    ["is the innermost one of Node without any other", [ofNode], ofNode],
  ] as const) {
    it(name, () => assert.equal(frames[findShownFrame(frames)], shown));
  }
});
