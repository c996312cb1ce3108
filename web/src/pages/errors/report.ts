import type { ErrorDetail } from "../../../../src/features/metrics/wire.ts";
import { instancesOf } from "./instances-of.ts";

/** Formats an error as Markdown for an issue. */
export function toMarkdown(error: ErrorDetail, address: string): string {
  const { type, message, routes, jobs, count, total, first_seen, last_seen, samples, from, to } = error;
  const instances = instancesOf(error).map(({ instance, count: times }) => `${quote(instance)} ×${times}`);
  const where = [...routes, ...jobs.map((job) => `job ${job}`)].map(quote).join(", ");
  const traces = samples.slice(0, 5).map(({ trace_id }) => quote(trace_id));
  const fence = fenceFor(toText(error) + message);
  return [
    `### ${oneLine(type)}: ${oneLine(message)}`,
    "",
    `- Where: ${where}`,
    `- Count: ${count} from ${toIso(from)} to ${toIso(to)}, ${total} in total`,
    ...(instances.length > 1 ? [`- Instances: ${instances.join(", ")}`] : []),
    `- First seen: ${toIso(first_seen)}`,
    `- Last seen: ${toIso(last_seen)}`,
    ...(traces.length > 0 ? [`- Traces: ${traces.join(", ")}`] : []),
    `- Dashboard: ${address}`,
    "",
    fence,
    toText(error),
    fence,
    "",
  ].join("\n");
}

/** The stack, or the type and the message if there is none, followed by the causes. */
export function toText({ causes, ...error }: ErrorDetail): string {
  const parts = causes.map((cause) => {
    const label = cause.relation === "cause" ? "Caused by" : "With error";
    return `${label}: ${stackOf(cause)}`;
  });
  return [stackOf(error), ...parts].join("\n");
}

function stackOf({ stack, type, message }: Pick<ErrorDetail, "stack" | "type" | "message">): string {
  return stack || `${type}: ${message}`;
}

const toIso = (time: number) => new Date(time).toISOString();
const quote = (text: string) => `\`${text.replaceAll("`", "'")}\``;

/** A heading is one short line. Error messages are untrusted and must not create mentions or images. */
function oneLine(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .slice(0, 200)
    .replaceAll(/[\\`*_[\]<>@#!]/g, "\\$&");
}

/** A fence that is longer than any run of backticks in the text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return "`".repeat(longest + 1);
}
