import type { RouteNotes } from "../../lib/route-notes.ts";
import type { SourceLocation } from "../../lib/source-location.ts";

/** A function that takes part in serving an endpoint. Here it is only looked at, never called. */
export type ServingFunction = (e: never) => unknown;

/** One documented route of a version, as data. */
export interface Endpoint {
  readonly method: string;
  /** The whole pattern: `/api/v1/todos/{id}`. */
  readonly path: string;
  /** The names of its path values, in order. */
  readonly parameters: readonly string[];
  /** The name of the `{rest...}` value at its end. */
  readonly rest: string | undefined;
  /** What the handler's function is called, if it has a name. */
  readonly handlerName: string | undefined;
  readonly handler: ServingFunction;
  /** The middleware that says nothing of itself; asked late, as the notes are. */
  middleware(): readonly ServingFunction[];
  /** Refuses bodies that are not objects, if the handler takes one. */
  refuseOtherBodies(isObject: boolean): void;
  /** Where it was registered. */
  readonly source: SourceLocation | undefined;
  /** What its middleware adds; asked late, because middleware may be bound after the route. */
  notes(): readonly RouteNotes[];
}

/** What a document says of an endpoint without its source, as data that can be sent to another thread. */
export interface EndpointData
  extends Pick<Endpoint, "method" | "path" | "parameters" | "rest" | "handlerName"> {
  /** By which the analysis knows its handler. An endpoint that was registered after the analysis has none. */
  readonly key: string | undefined;
  readonly notes: readonly RouteNotes[];
}

export function toEndpointData(endpoint: Endpoint, key?: string): EndpointData {
  const { method, path, parameters, rest, handlerName } = endpoint;
  return { key, method, path, parameters, rest, handlerName, notes: endpoint.notes() };
}

/** Who may call an endpoint: the strictest of what its middleware says. */
export function authOf(notes: readonly RouteNotes[]): "none" | "any" | "superuser" {
  const demands = notes.map(({ auth }) => auth);
  if (demands.includes("superuser")) return "superuser";
  return demands.includes("any") ? "any" : "none";
}
