import type { Route } from "../../../http/index.ts";
import type { RouteNotes } from "../../../lib/route-notes.ts";
import type { SourceLocation } from "../../../lib/source/source-location.ts";

/** A function involved in serving an endpoint. The registry only inspects it and never calls it. */
export type ServingFunction = (e: never) => unknown;

/** The kind of body that a handler expects. */
export interface ExpectedBody {
  /** Whether it must be an object. */
  readonly takesObject: boolean;
  /** Whether it must be a form with files. */
  readonly takesFiles: boolean;
}

/** A documented route of a version. */
export interface Endpoint {
  /** In upper case: `GET`. */
  readonly method: string;
  /** The full pattern: `/api/v1/todos/{id}`. */
  readonly path: string;
  /** The names of its path parameters, in order. */
  readonly parameters: readonly string[];
  /** The name of the trailing `{rest...}` parameter. */
  readonly rest: string | undefined;
  /** The name of the handler function, if it has one. */
  readonly handlerName: string | undefined;
  /** The handler function. */
  readonly handler: ServingFunction;
  /** The middleware without notes. Evaluated late, like `notes`. */
  middleware(): readonly ServingFunction[];
  /** Sets which bodies are rejected because the handler expects others. */
  refuseOtherBodies(expected: ExpectedBody): void;
  /** Sets what requests are checked with, if the route has `checked()`. */
  setCheck(check: Route["check"]): void;
  /** Where the route was registered. */
  readonly source: SourceLocation | undefined;
  /** The notes of its middleware. Evaluated late, because middleware may be bound after the route. */
  notes(): readonly RouteNotes[];
}

/** What the route alone contributes to a document, as data that can be sent to another thread. */
export interface EndpointData
  extends Pick<Endpoint, "method" | "path" | "parameters" | "rest" | "handlerName"> {
  /** The key of its handler in the analysis. An endpoint registered after the analysis has none. */
  readonly key: string | undefined;
  readonly notes: readonly RouteNotes[];
}

export function toEndpointData(endpoint: Endpoint, key?: string): EndpointData {
  const { method, path, parameters, rest, handlerName } = endpoint;
  return { key, method, path, parameters, rest, handlerName, notes: endpoint.notes() };
}

/** Whether requests are checked against the types of the handler. */
export function isChecked(notes: readonly RouteNotes[]): boolean {
  return notes.some(({ checked }) => checked);
}

/** The required authentication: the strictest that the middleware demands. */
export function authOf(notes: readonly RouteNotes[]): "none" | "any" | "superuser" {
  const demands = notes.map(({ auth }) => auth);
  if (demands.includes("superuser")) return "superuser";
  return demands.includes("any") ? "any" : "none";
}
