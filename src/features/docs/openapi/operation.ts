import type { ResponseNotes } from "../../../lib/route-notes.ts";
import type { OperationFacts } from "../model/facts.ts";
import type { Operation, Parameter, Reference, Response, Schema } from "../model/openapi.ts";
import { authOf, type EndpointData } from "../registry/endpoint.ts";
import { findCheckedInput } from "./checked-input.ts";
import { errorResponses } from "./components/shared-components.ts";
import { createSummary } from "./summary.ts";

export interface OperationContext {
  readonly operationId: string;
  /** The path as written in the document. */
  readonly path: string;
  /** The tag of an operation whose source does not name one. */
  readonly defaultTag: string;
  readonly facts: OperationFacts;
  readonly deprecation: { readonly sunset: string } | undefined;
  /** The required security schemes; `undefined` if they are not known. */
  readonly requirement: Operation["security"] | undefined;
}

/** The operation of one endpoint, from its route, its middleware and its source. */
export function createOperation(endpoint: EndpointData, context: OperationContext): Operation {
  const { operationId, path, defaultTag, facts, deprecation, requirement } = context;
  const parameters = listParameters(endpoint, facts);
  return {
    operationId,
    summary: createSummary(endpoint, path, facts),
    ...(facts.description && { description: facts.description }),
    tags: facts.tags && facts.tags.length > 0 ? [...facts.tags] : [defaultTag],
    ...(parameters.length > 0 && { parameters }),
    ...(facts.requestBody && { requestBody: facts.requestBody }),
    responses: createResponses(endpoint, facts),
    ...(requirement && { security: requirement }),
    ...((deprecation || facts.isDeprecated) && { deprecated: true }),
    ...(deprecation?.sunset && { "x-sunset": deprecation.sunset }),
    ...(facts.source && { "x-source": facts.source }),
  };
}

/** The parameters of an endpoint, from its route, its middleware and its source. */
export function listParameters(endpoint: EndpointData, facts: OperationFacts): Parameter[] {
  return unique([
    ...pathParameters(endpoint, facts),
    ...headerParameters(endpoint),
    ...(facts.parameters ?? []),
  ]);
}

/** Marks the value of a trailing `{rest...}`. OpenAPI has no keyword for it. */
export const restDescription = "The rest of the path. It can contain slashes.";

function pathParameters({ parameters, rest }: EndpointData, facts: OperationFacts): Parameter[] {
  return parameters.map((name) => {
    // A validator follows the reads by name, and it is more precise.
    const known = facts.parameters?.findLast((each) => each.in === "path" && each.name === name);
    const description = known?.description ?? (name === rest ? restDescription : undefined);
    return {
      name,
      in: "path",
      required: true,
      ...(description && { description }),
      schema: known?.schema ?? { type: "string" },
      ...(known?.["x-source"] && { "x-source": known["x-source"] }),
    };
  });
}

function headerParameters({ notes }: EndpointData): Parameter[] {
  return notes.flatMap(({ requestHeaders = {} }) =>
    Object.entries(requestHeaders).map(
      ([name, description]): Parameter => ({ name, in: "header", description, schema: { type: "string" } }),
    ),
  );
}

/** One parameter per name and location. Header names are case-insensitive. The first one wins. */
function unique(parameters: Parameter[]): Parameter[] {
  const keyOf = ({ name, in: place }: Parameter) =>
    `${place} ${place === "header" ? name.toLowerCase() : name}`;
  return [...new Map(parameters.toReversed().map((each) => [keyOf(each), each])).values()].toReversed();
}

function createResponses(endpoint: EndpointData, facts: OperationFacts): Operation["responses"] {
  const { responses: known = {} } = facts;
  const hasResponse =
    facts.isComplete || Object.keys(known).some((status) => status < "4" || status === "default");
  const demanded: Record<string, Response | Reference> = {};
  for (const status of demandedStatuses(endpoint)) demanded[status] = errorResponses.reference(status);
  const noted: Record<string, Response> = {};
  if (findCheckedInput(endpoint, facts, listParameters(endpoint, facts)))
    noted["400"] = errorResponses.create("400", "The request does not match the types of the operation.");
  for (const { responses = {} } of endpoint.notes) {
    for (const [status, given] of Object.entries(responses)) noted[status] = toResponse(status, given);
  }
  const all = {
    ...(!hasResponse && { "2XX": { description: "The request succeeded." } }),
    ...demanded,
    ...noted,
    default: errorResponses.reference("default"),
    ...known,
    ...joinErrors(known, { ...demanded, ...noted }),
  };
  return addHeaders(sortByStatus(all), endpoint);
}

function toResponse(status: string, given: string | ResponseNotes): Response {
  if (typeof given === "string") return errorResponses.create(status, given);
  const response = errorResponses.create(status, given.description);
  return given.headers ? { ...response, headers: describeHeaders([given.headers]) } : response;
}

/** Errors from middleware have the common format, even if the handler sends the same status with another body. */
function joinErrors(
  known: Readonly<Record<string, Response>>,
  refused: Readonly<Record<string, Response | Reference>>,
): Record<string, Response> {
  const both = Object.entries(refused).flatMap(([status, refusal]) => {
    const own = known[status];
    return own ? [[status, { ...own, ...joinContent(own), ...joinHeaders(own, refusal) }]] : [];
  });
  return Object.fromEntries(both);
}

function joinContent({ content }: Response): Pick<Response, "content"> {
  const json = content?.["application/json"];
  if (!json || JSON.stringify(json.schema) === JSON.stringify(errorResponses.schema)) return {};
  const schema: Schema = { anyOf: [json.schema, errorResponses.schema] };
  return { content: { ...content, "application/json": { schema } } };
}

function joinHeaders(own: Response, refusal: Response | Reference): Pick<Response, "headers"> {
  return "headers" in refusal ? { headers: { ...refusal.headers, ...own.headers } } : {};
}

function demandedStatuses({ notes }: EndpointData): string[] {
  const auth = authOf(notes);
  if (auth === "none") return [];
  return auth === "superuser" ? ["401", "403"] : ["401"];
}

/** Adds the response headers that middleware sets to the inline responses. */
function addHeaders(responses: Operation["responses"], { notes }: EndpointData): Operation["responses"] {
  const always = describeHeaders(notes.map(({ responseHeaders = {} }) => responseHeaders));
  const withBody = describeHeaders(notes.map(({ bodyHeaders = {} }) => bodyHeaders));
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if ("$ref" in response) return [status, response];
      const added = status.startsWith("2") && response.content ? { ...always, ...withBody } : always;
      const headers = { ...added, ...response.headers };
      return [status, Object.keys(headers).length === 0 ? response : { ...response, headers }];
    }),
  );
}

function describeHeaders(
  noted: readonly Readonly<Record<string, string>>[],
): NonNullable<Response["headers"]> {
  const descriptions: Record<string, string> = Object.assign({}, ...noted);
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [
      name,
      { description, schema: { type: "string" } },
    ]),
  );
}

function sortByStatus<T>(responses: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(responses).sort(([one], [other]) => (one < other ? -1 : 1)));
}
