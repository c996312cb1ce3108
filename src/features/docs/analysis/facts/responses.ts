import { http } from "../../../../lib/node/http.ts";
import type { Diagnostic } from "../../model/facts.ts";
import type { Response, Schema } from "../../model/openapi.ts";
import { errorResponses } from "../../openapi/components/shared-components.ts";
import type { RawSchema } from "../types/query.ts";
import { createUnion, type Lookup, settleUnion } from "../types/schema/union.ts";
import type { HandlerFacts, QueryFacts, ResponseFacts } from "./handler-facts.ts";
import {
  contentTypesOf,
  dataSchema,
  querySchema,
  returnedResponses,
  statusesOf,
  type TypeFacts,
} from "./type-facts.ts";

export interface ResponseParts {
  /** By content type; empty for a response without a body. */
  readonly content: Map<string, Schema[]>;
  readonly messages: Set<string>;
  readonly headers: Set<string>;
  isRedirect: boolean;
}

/** Reports a problem with its location. */
type Report = (problem: Omit<Diagnostic, "file" | "line">, place: { file: string; start: number }) => void;

/** Every response and every error of a handler, by status. Those with an unknown status are under `default`. */
export function createResponses(
  handler: HandlerFacts,
  types: TypeFacts,
  report: Report,
  lookup: Lookup,
): Record<string, Response> {
  const byStatus = new Map<string, ResponseParts>();
  const partsOf = (status: string): ResponseParts => {
    const parts = byStatus.get(status) ?? {
      content: new Map(),
      messages: new Set(),
      headers: new Set(),
      isRedirect: false,
    };
    byStatus.set(status, parts);
    return parts;
  };
  for (const response of handler.responses) addResponse(response, handler, types, partsOf, report);
  addReturned(handler, types, byStatus, partsOf);
  for (const { statuses, message, place } of handler.errors) {
    if (statuses.length === 0) {
      const sentence =
        "The status of this error is only known when it is thrown, so it is not in the document. Use a constant, or a union of literal types.";
      report({ code: "STATUS_UNKNOWN", message: sentence }, place);
    }
    for (const status of statuses) addError(partsOf(String(errorStatus(status))), message);
  }
  for (const body of handler.bodies)
    if (!body.isCaught)
      for (const status of bodyErrors[body.by]) addError(partsOf(status), bodyMessage(body, status));
  if (handler.queries.some((query) => refusesInvalid(query, types))) addError(partsOf("400"));
  return Object.fromEntries(
    [...byStatus].map(([status, parts]) => [status, toResponse(status, parts, lookup)]),
  );
}

/** Whether invalid query parameters or path values cause a 400. */
function refusesInvalid(query: QueryFacts, types: TypeFacts): boolean {
  if (query.refuses !== "if validator") return query.refuses === "always";
  return querySchema(query, types).schema !== undefined;
}

/** The errors that reading a body can cause. */
const bodyErrors = {
  bindBody: ["400", "413", "415"],
  readText: ["400", "413", "415"],
  readBytes: ["413"],
  raw: [],
} as const;

/** Readers would expect malformed JSON as the cause of a 400, but `readText` does not parse. */
const bodyMessage = ({ by }: HandlerFacts["bodies"][number], status: string) =>
  by === "readText" && status === "400" ? "The body is not valid UTF-8." : undefined;

/** The same rule as in `ApiError`. */
const errorStatus = (status: number) =>
  Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;

const contentTypes: Partial<Record<ResponseFacts["form"], string>> = {
  json: "application/json",
  text: "text/plain",
  html: "text/html",
};

function addResponse(
  response: ResponseFacts,
  handler: HandlerFacts,
  types: TypeFacts,
  partsOf: (status: string) => ResponseParts,
  report: Report,
): void {
  const statuses = statusesOf(response, types);
  if (statuses.length === 0) {
    if (types.isKnown) {
      const message =
        "The status of this response is not known, so the document allows any status. Use a constant, or a union of literal types, instead of number.";
      report({ code: "STATUS_UNKNOWN", message }, response.place);
    }
    add(partsOf("default").content, "*/*", {});
    return;
  }
  for (const status of statuses) {
    const parts = partsOf(String(status));
    for (const name of response.headers) if (!isOfProtocol(name)) parts.headers.add(name);
    if (isWithoutBody(status)) continue;
    if (response.form === "redirect") parts.isRedirect = true;
    else if (response.form === "json") addData(response, status, handler, parts, types, report);
    else if (response.form === "events") add(parts.content, "text/event-stream", { type: "string" });
    else if (response.form === "open") add(parts.content, "*/*", {});
    else if (response.form === "text" || response.form === "html")
      add(parts.content, contentTypes[response.form]!, { type: "string" });
    else if (response.form !== "none") {
      const known = contentTypesOf(response, types);
      if (known.length === 0 && types.isKnown) {
        const message =
          "The content type of this response is not known, so the document allows any. Use a constant, or a union of literal types, instead of string.";
        report({ code: "CONTENT_TYPE_UNKNOWN", message }, response.place);
      }
      for (const type of known.length > 0 ? known : ["*/*"])
        add(parts.content, mediaType(type), { type: "string", format: "binary" });
    }
  }
}

/** Headers that clients and proxies handle. API documents do not list them. */
const isOfProtocol = (name: string) =>
  /^(access-control-.*|vary|content-type|content-length|transfer-encoding|connection|date)$/i.test(name);

/** Responses with these statuses have no body. */
const isWithoutBody = (status: number) => status < 200 || status === 204 || status === 205 || status === 304;

const mediaType = (type: string) => type.split(";")[0]!.trim().toLowerCase();

function addData(
  response: ResponseFacts,
  status: number,
  handler: HandlerFacts,
  parts: ResponseParts,
  types: TypeFacts,
  report: Report,
): void {
  const { schemas, facts, reason } = dataSchema(response, status, handler, types);
  for (const { problems } of facts)
    for (const { code, message, file, line } of problems)
      report({ code, message }, file && line ? { file, start: -line } : response.place);
  if (types.isKnown && schemas.length === 0) {
    const message =
      "The type of this response's data is any or unknown, so the document allows any data. Give it a type. If it has one, run tsc: an import may be missing.";
    report(reason ?? { code: "RESPONSE_TYPE_UNKNOWN", message }, response.place);
  }
  for (const schema of schemas.length > 0 ? schemas : [{}]) add(parts.content, "application/json", schema);
}

/** Adds the responses that only the return type shows. If it does not show them either, any response is possible. */
function addReturned(
  handler: HandlerFacts,
  types: TypeFacts,
  byStatus: ReadonlyMap<string, ResponseParts>,
  partsOf: (status: string) => ResponseParts,
): void {
  if (!handler.isHidden) return;
  const returned = returnedResponses(handler, types);
  const seen = new Set(byStatus.keys());
  for (const { status, schema, hasBody } of returned) {
    const isSeen = seen.has(String(status));
    if (status === undefined || (isSeen && !handler.returnsHidden)) continue;
    const parts = partsOf(String(status));
    if (hasBody && !isWithoutBody(status)) add(parts.content, "application/json", schema ?? {});
  }
  if (returned.length > 0 || !types.isKnown || !handler.returnsHidden) return;
  for (const [status, { content }] of byStatus)
    if (status < "4" && content.size > 0) add(content, "application/json", {});
}

function addError(parts: ResponseParts, message?: string): void {
  add(parts.content, "application/json", errorResponses.schema);
  if (message) parts.messages.add(message);
}

function add(content: Map<string, Schema[]>, type: string, schema: Schema): void {
  const schemas = content.get(type) ?? [];
  const text = JSON.stringify(schema);
  if (!schemas.some((each) => JSON.stringify(each) === text)) schemas.push(schema);
  content.set(type, schemas);
}

function toResponse(
  status: string,
  { content, messages, headers, isRedirect }: ResponseParts,
  lookup: Lookup,
): Response {
  return {
    description: describe(status, messages),
    ...headersOf(headers, isRedirect),
    ...(content.size > 0 && {
      content: Object.fromEntries(
        [...content]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([type, schemas]) => [type, { schema: joinSchemas(schemas, lookup) }]),
      ),
    }),
  };
}

function headersOf(names: ReadonlySet<string>, isRedirect: boolean): Pick<Response, "headers"> {
  const known = [...names].filter((name) => !isRedirect || name.toLowerCase() !== "location").sort();
  const headers = Object.fromEntries(known.map((name) => [name, { schema: { type: "string" } }]));
  const location = { Location: { description: "The URL to redirect to.", schema: { type: "string" } } };
  return known.length > 0 || isRedirect ? { headers: { ...(isRedirect && location), ...headers } } : {};
}

/** A union with an open schema allows everything. */
function joinSchemas(schemas: readonly Schema[], lookup: Lookup): Schema {
  if (schemas.length === 1) return schemas[0]!;
  if (schemas.some((schema) => Object.keys(schema).length === 0)) return {};
  const union = createUnion(schemas as RawSchema[]);
  settleUnion(union, lookup);
  return union;
}

const maxMessages = 4;

function describe(status: string, messages: ReadonlySet<string>): string {
  if (messages.size > 0 && messages.size <= maxMessages) return [...messages].sort().join(" ");
  return status === "default" ? "Any response." : (http.STATUS_CODES[status] ?? `Status ${status}`);
}
