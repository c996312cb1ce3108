import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { Part, SampleValues } from "../sample-values.ts";

/** A folder used as `/`, with the files of /proc and /sys written by a test. */
export interface FakeMachine {
  readonly root: string;
  write(files: Readonly<Record<string, string>>): void;
  remove(path: string): void;
}

export function createFakeMachine(t: TestContext, files: Readonly<Record<string, string>> = {}): FakeMachine {
  const root = mkdtempSync(join(tmpdir(), "annex-machine-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const machine: FakeMachine = {
    root,
    write(written) {
      for (const [path, text] of Object.entries(written)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    remove: (path) => rmSync(join(root, path), { recursive: true }),
  };
  machine.write(files);
  return machine;
}

/** The metrics of one part at a given time, in milliseconds. */
export function valuesOf(part: Part, now = 0): SampleValues {
  const values: SampleValues = {};
  part.sample(values, now);
  return values;
}
