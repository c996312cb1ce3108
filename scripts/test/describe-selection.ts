/** What a quick run prints first. */
import { isProgramTest, type Selection } from "./selection.ts";

/** Longer lists of tests are only counted. */
const mostNames = 30;

/** `files`: those that are the reason. */
export function describeSelection({ tests, left }: Selection, files: readonly string[]): string {
  const lines = [`Running ${tests.length} test files for ${files.length} changed or named files.`];
  if (left.length > 0) lines.push(`Affected too, but left to the full run: ${describeLeft(left)}.`);
  return lines.join("\n");
}

/** Tests of whole programs by their names, unless almost all are left, and unit tests by their number. */
function describeLeft(left: readonly string[]): string {
  const programs = left.filter(isProgramTest);
  const unitTests = left.length - programs.length;
  const names = programs.map((test) => test.replace(/^tests\/|\.test\.ts$/g, ""));
  return [
    ...(names.length > mostNames ? [`${names.length} tests of whole programs`] : names),
    ...(unitTests > 0 ? [`${unitTests} files of unit tests`] : []),
  ].join(", ");
}
