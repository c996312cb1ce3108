import { dayMs } from "./units.ts";

/** Usual lengths of chart bars, so that charts of the same window have the same bars. */
const secondsOfSteps = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
];

/** The shortest usual step that is at least as long. Steps longer than a day are whole days. */
export function chooseStep(wantedMs: number): number {
  const seconds = secondsOfSteps.find((each) => each * 1_000 >= wantedMs);
  return seconds === undefined ? Math.ceil(wantedMs / dayMs) * dayMs : seconds * 1_000;
}
