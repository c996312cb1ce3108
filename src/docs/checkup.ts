import type { Docs } from "./docs.ts";

export interface Checkup {
  /** For people, line by line. */
  readonly lines: readonly string[];
  /** How many things could not be resolved. */
  readonly openPoints: number;
}

/** What is known of an application's handlers, and what is not. */
export function createCheckup(docs: Docs): Checkup {
  const { analysis } = docs.press;
  const diagnostics = analysis?.diagnostics ?? [];
  const versions = docs.list().map(({ label, registry }) => {
    const endpoints = registry.list();
    const read = endpoints.filter((endpoint) => analysis?.outlineOf(endpoint)).length;
    return `${label}: ${count(endpoints.length, "operation")}, ${read} of them read from source`;
  });
  const problems = diagnostics.flatMap(({ code, message, file, line }) => [
    "",
    `${file === undefined ? "" : `${file}:${line}  `}${code}`,
    `  ${message}`,
  ]);
  const summary =
    diagnostics.length === 0
      ? "Everything is resolved."
      : `${count(diagnostics.length, "thing")} could not be resolved.`;
  const types = analysis?.level === "exact" ? [] : ["The types are not known, so there are no schemas."];
  return { lines: [...versions, ...types, ...problems, "", summary], openPoints: diagnostics.length };
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
