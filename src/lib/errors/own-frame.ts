import { fileURLToPath } from "node:url";
import { isInPackage, toPath } from "../paths/paths.ts";
import type { SourceLocation } from "../source/source-location.ts";

/** The frames of a stack, without `at`. The message precedes them and may contain lines that look like frames. */
export function framesOf(stack: string, message: string): string[] {
  const at = stack.indexOf(message);
  const start = at === -1 ? 0 : at + message.length;
  return stack
    .slice(start, start + maxStackLength)
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .map((line) => line.slice(7));
}

const maxStackLength = 8_000;
/** `src`, or `dist` in the package. With its source maps, Node shows frames of the package in `src`, too. */
const annexUrls = [new URL("../../", import.meta.url), new URL("../../../src/", import.meta.url)];
const annexPlaces = annexUrls.flatMap((url) => [url.href, fileURLToPath(url)]);

/** Whether a frame belongs to the application: not to the runtime, a package or Annex. */
export function isOwnFrame(frame: string): boolean {
  const hasPlace = frame.includes("/") || frame.includes("\\");
  if (!hasPlace || frame.includes("node:") || isInPackage(frame)) return false;
  return !annexPlaces.some((place) => frame.includes(place));
}

/** The locations in the application's code where an error was created, the innermost first. */
export function findOwnLocations(stack: string, message: string): SourceLocation[] {
  return framesOf(stack, message)
    .filter(isOwnFrame)
    .flatMap((frame) => locationOf(frame) ?? []);
}

/** Reads `handler (file:///app/src/todos.ts:12:3)`, with or without the function and the scheme. */
function locationOf(frame: string): SourceLocation | undefined {
  const bare = frame.replace(/^async /, "");
  // Without a function there are no parentheses, except in the names of folders.
  const whole = bare.endsWith(")") ? /^.*? \((.+):(\d+):(\d+)\)$/ : /^(.+):(\d+):(\d+)$/;
  const [, place, line, column] = whole.exec(bare) ?? [];
  if (place === undefined) return undefined;
  const file = place.startsWith("file:") ? toPath(place) : (toPath(place) ?? place);
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}
