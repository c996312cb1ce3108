import type { RouteNotes } from "../../../lib/route-notes.ts";
import type { SourceLocation } from "../../../lib/source/source-location.ts";

/** A function involved in serving an endpoint. The registry only inspects it and never calls it. */
export type ServingFunction = (e: never) => unknown;

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
  /** Sets whether bodies that are not objects are rejected. */
  refuseOtherBodies(isObject: boolean): void;
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

/** The required authentication: the strictest that the middleware demands. */
export function authOf(notes: readonly RouteNotes[]): "none" | "any" | "superuser" {
  const demands = notes.map(({ auth }) => auth);
  if (demands.includes("superuser")) return "superuser";
  return demands.includes("any") ? "any" : "none";
}
