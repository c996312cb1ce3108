import type { Evidence } from "../evidence.ts";
import { findFalseInterruptions, findFencedRuns } from "./interruptions.ts";
import { findOverlaps } from "./overlaps.ts";
import { findUnfinished, findUnretried } from "./retries.ts";
import { findEarly, findMissing, findRepeated, findUnmatched } from "./ticks.ts";

export interface CheckResult {
  readonly name: string;
  readonly violations: readonly string[];
}

export function checkAll(evidence: Evidence): CheckResult[] {
  return [
    {
      name: "Each tick begins exactly once",
      violations: [...findRepeated(evidence), ...findMissing(evidence)],
    },
    { name: "The runs in the database are the calls of the functions", violations: findUnmatched(evidence) },
    { name: "No tick begins early", violations: findEarly(evidence) },
    { name: "Exclusive runs do not overlap", violations: findOverlaps(evidence) },
    { name: "No run is interrupted without a cause", violations: findFalseInterruptions(evidence) },
    { name: "Nothing runs on a fenced instance", violations: findFencedRuns(evidence) },
    { name: "No run is in progress at the end", violations: findUnfinished(evidence) },
    {
      name: 'Each interrupted run with `onInterrupt: "retry"` succeeds or exhausts its attempts',
      violations: findUnretried(evidence),
    },
  ];
}
