import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { SteadyClock } from "./steady-clock.ts";

const second = 1_000;
const minute = 60 * second;

function createSteadyClock() {
  const own = new FakeClock("2026-03-02T10:00:00Z");
  const steady = new SteadyClock(own);
  /** How far it is behind the clock of the machine. */
  const behind = () => own.now() - steady.now();
  return { own, steady, behind };
}

describe("a steady clock", () => {
  it("follows small corrections at once, however many", () => {
    const { own, behind } = createSteadyClock();
    for (let count = 0; count < 10; count++) {
      own.jump(-999);
      assert.equal(behind(), 0);
    }
  });

  for (const jump of [-5 * minute, second, 3 * 24 * 60 * minute]) {
    it(`follows a clock that was set by ${jump / second} s when that has lasted for a minute`, () => {
      const { own, steady, behind } = createSteadyClock();
      const before = steady.now();
      own.jump(jump);
      assert.equal(steady.now(), before);
      own.advance(minute - 1);
      assert.equal(behind(), jump);
      assert.equal(steady.now(), before + minute - 1);
      own.advance(1);
      assert.equal(behind(), 0);
    });
  }

  it("does not follow a clock that is set back in time, and waits again when it is set again", () => {
    const { own, behind } = createSteadyClock();
    own.jump(5 * minute);
    assert.equal(behind(), 5 * minute);
    own.advance(59 * second);
    own.jump(-5 * minute);
    assert.equal(behind(), 0);
    own.jump(5 * minute);
    assert.equal(behind(), 5 * minute);
    own.advance(30 * second);
    own.jump(minute);
    assert.equal(behind(), 6 * minute);
    own.advance(59 * second);
    assert.equal(behind(), 6 * minute);
    own.advance(second);
    assert.equal(behind(), 0);
  });

  it("goes on with the machine if both clocks stood still, or both went on, during a suspension", () => {
    const { own, behind } = createSteadyClock();
    own.suspend(8 * 60 * minute);
    assert.equal(behind(), 0);
  });
});
