import type { ApiOverview, ApiVersion } from "../../../../src/features/docs/wire.ts";
import type { Tone } from "../../ui/status.tsx";

/** Texts for versions. */

const dayMs = 86_400_000;

/** The approximate time until the end of a version. */
export function sunsetLabel(sunset: string, now: number): { text: string; isOver: boolean } | undefined {
  const time = Date.parse(sunset);
  if (Number.isNaN(time)) return undefined;
  const days = Math.ceil((time - now) / dayMs);
  if (days < 0) return { text: `${spanLabel(-days)} ago`, isOver: true };
  return { text: days === 0 ? "today" : `in ${spanLabel(days)}`, isOver: false };
}

function spanLabel(days: number): string {
  if (days < 60) return days === 1 ? "1 day" : `${days} days`;
  const months = Math.round(days / 30.44);
  return months < 24 ? `${months} months` : `${Math.round(days / 365.25)} years`;
}

/** The same operation in another version, if it exists. */
export function counterpartOf(route: string, from: ApiVersion, to: ApiVersion): string | undefined {
  const wanted = withoutNames(route.replace(` /api/${from.version}/`, ` /api/${to.version}/`));
  return to.operations.find((each) => withoutNames(each.route) === wanted)?.route;
}

/** Path parameters may have different names. */
const withoutNames = (route: string) => route.replace(/\{[^}]*\}/g, "{}");

export function analysisLabel({ state, level, operations, operations_read }: ApiOverview["analysis"]): {
  tone: Tone;
  text: string;
} {
  const read = `${operations_read} of ${operations} operations`;
  if (state === "reading") return { tone: "busy", text: `Analyzing the source: ${read}` };
  if (state === "from disk") return { tone: "good", text: "Documents from the build" };
  if (state === "none") return { tone: "quiet", text: "Documents from routes alone" };
  if (level !== "exact") return { tone: "warn", text: `Analyzed without types: ${read}` };
  return { tone: operations_read < operations ? "warn" : "good", text: `Analyzed ${read}` };
}
