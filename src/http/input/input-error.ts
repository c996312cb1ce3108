import { isDeepStrictEqual } from "node:util";
import type { ApiError, ErrorDefinition } from "../../lib/errors/errors.ts";
import { problemsByField } from "../../lib/schema-problems.ts";
import { BODY_INVALID, QUERY_INVALID } from "../errors/errors.ts";
import { partInCall, type RequestPart } from "./call-site.ts";
import { readThrownIssues } from "./thrown-issues.ts";

/** The parts of the request that the application has received without validation, by name. */
export type GivenParts = Partial<Record<RequestPart, unknown>>;

/**
 * The error for the client if a validator rejected the request: `Note.parse(await e.bindBody())`. `undefined` if it may
 * have rejected other data, such as the response of another server. Such an error belongs to the application. See
 * docs/decisions/102-thrown-validation-errors.md.
 */
export function toInputError(thrown: unknown, readGiven: () => GivenParts): ApiError | undefined {
  const found = readThrownIssues(thrown);
  if (!found) return undefined;
  const given = readGiven();
  const parts = Object.keys(given) as RequestPart[];
  if (parts.length === 0) return undefined;
  const { root } = found;
  const called = partInCall(thrown as object);
  const part = parts.find((each) => each === called || (root && isSame(root.value, given[each])));
  if (part === undefined) return undefined;
  return definitions[part].with({ data: problemsByField(found.issues, part), cause: thrown });
}

const definitions: Record<RequestPart, ErrorDefinition> = { body: BODY_INVALID, query: QUERY_INVALID };

/**
 * The same object, or an equal one: each `Object.fromEntries(e.url.searchParams)` is new. Empty objects prove nothing.
 */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const isEmpty = typeof other !== "object" || other === null || Object.keys(other).length === 0;
  return !isEmpty && isDeepStrictEqual(one, other);
}
