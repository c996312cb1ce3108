import { ApiError } from "../../lib/errors/errors.ts";
import { parseContentType } from "../body/body-headers.ts";
import {
  BODY_EMPTY,
  BODY_INVALID,
  CHECK_MISSING,
  QUERY_INVALID,
  UNEXPECTED_MEDIA_TYPE,
} from "../errors/errors.ts";
import type { RequestEvent } from "../event.ts";
import type { MiddlewareHandler } from "../handler.ts";
import type { BodyCheck, FindProblems, RouteCheck } from "../route/route-check.ts";

/**
 * Middleware that checks requests against the types that the handler declares. A request that does not match them
 * returns 400 with one entry per invalid field, and the handler does not run.
 *
 * ```ts
 * router.post("/notes", async (e) => e.json(201, await e.bindBody<{ text: string }>())).bind(checked());
 * ```
 */
export function checked(): MiddlewareHandler {
  // Runs last: other middleware may reject the request, or limit its body.
  return { id: "checked", priority: 1000, documents: { checked: true }, func: checkRequest };
}

function checkRequest(e: RequestEvent): unknown {
  const { check, index, method, pattern } = e.route;
  if (typeof check === "object") return applyCheck(e, check);
  if (check !== undefined) return check().then((ready) => applyCheck(e, ready));
  // An OPTIONS request also runs the middleware of routers, but no handler.
  if (index === 0) return e.next();
  throw CHECK_MISSING(method, pattern.text);
}

function applyCheck(e: RequestEvent, { parameters, body }: RouteCheck): Promise<void> {
  const problems = parameters?.(e);
  if (problems) throw QUERY_INVALID.with({ data: problems });
  return body === undefined ? e.next() : checkBody(e, body);
}

async function checkBody(e: RequestEvent, { types, isRequired }: BodyCheck): Promise<void> {
  const { content } = e;
  const find = content.isEmpty ? undefined : findCheck(types, content.headers.contentType);
  if (find !== null) {
    try {
      const value = await content.value();
      const problems = find?.(value);
      if (problems) throw BODY_INVALID.with({ data: problems });
    } catch (error) {
      if (isRequired || !isMissing(error)) throw error;
    }
  }
  // Cheaper than `e.next()`, which needs a promise of its own.
  try {
    await e.callNext();
  } finally {
    e.endNext();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === BODY_EMPTY.code;
}

/** Bodies without a content type are rejected when they are parsed. */
function findCheck(types: BodyCheck["types"], header: string | undefined): FindProblems | null | undefined {
  if (header === undefined) return undefined;
  const { type } = parseContentType(header);
  const find = types.get(type.endsWith("+json") && !types.has(type) ? "application/json" : type);
  if (find === undefined) throw UNEXPECTED_MEDIA_TYPE(header, [...types.keys()].join(" or "));
  return find;
}
