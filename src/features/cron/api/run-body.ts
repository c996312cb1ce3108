import type { RequestEvent } from "../../../http/index.ts";
import { ApiError, type FieldProblem } from "../../../lib/errors/errors.ts";
import { invalid, refuseInvalid } from "../../../lib/fields.ts";
import { maxParametersBytes } from "../runs/parameters.ts";
import type { RunBody } from "../wire.ts";

/** Space for the parameters and the other fields. */
export const runBodyLimit = maxParametersBytes + 1_024;

const fields = ["parameters", "run_at"] as const satisfies (keyof RunBody)[];

/** Reads how to start a run. The body is optional: without one, the job runs now, without parameters. */
export async function readRunBody(e: RequestEvent): Promise<{ parameters?: unknown; runAt?: Date }> {
  const body = await readOptionalBody(e);
  const runAt = parseTime(body.run_at);
  const problems: Record<string, FieldProblem | undefined> = {
    run_at: runAt === "invalid" ? invalid("run_at", timeFormat) : undefined,
  };
  for (const name of Object.keys(body)) {
    if (fields.some((field) => field === name)) continue;
    problems[name] = { code: "unknown", message: `Unknown field ${name}; use ${fields.join(" and ")}.` };
  }
  refuseInvalid(problems);
  return { parameters: body.parameters, ...(runAt instanceof Date && { runAt }) };
}

const timeFormat = "an ISO 8601 time with an offset, such as 2026-03-01T06:00:00Z";

function parseTime(text: unknown): Date | "invalid" | undefined {
  if (text == null) return undefined;
  const hasOffset = typeof text === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(text);
  const time = new Date(hasOffset && isDay(text.slice(0, 10)) ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? "invalid" : time;
}

/** `Date` accepts 30 February, and makes it a day in March. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

async function readOptionalBody(e: RequestEvent): Promise<Record<string, unknown>> {
  const body = await e.bindBody<unknown>().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "BODY_EMPTY") return {};
    throw error;
  });
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  refuseInvalid({ body: isObject ? undefined : invalid("the body", "a JSON object") });
  return body as Record<string, unknown>;
}
