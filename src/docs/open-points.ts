import { originalLocation } from "../lib/source-location.ts";
import type { Docs } from "./docs.ts";
import type { Diagnostic } from "./openapi/facts.ts";
import { routeOf } from "./operations.ts";
import type { Endpoint } from "./registry/endpoint.ts";

/** Something that the analysis could not resolve, and whom it concerns as far as its place tells. */
export interface OpenPoint extends Diagnostic {
  /** The routes whose handler it stands in, or that are registered there; none when it is in code that they call. */
  readonly routes: readonly string[];
  /** The version of them all. */
  readonly version?: string;
  /** The name of their handler, if they have one. */
  readonly handler?: string;
}

/** What the analysis could not resolve, in the order of files and lines. */
export function listOpenPoints(docs: Docs): OpenPoint[] {
  const { diagnostics = [] } = docs.press.analysis ?? {};
  if (diagnostics.length === 0) return [];
  const places = docs
    .list()
    .flatMap(({ label, registry }) => registry.list().map((endpoint) => placeOf(docs, label, endpoint)));
  return diagnostics.map((diagnostic) => {
    const near = places.filter(({ endpoint, covers }) =>
      diagnostic.unread === undefined ? covers(diagnostic) : routeOf(endpoint) === diagnostic.unread,
    );
    const [version, otherVersion] = new Set(near.map((place) => place.version));
    const [handler, otherHandler] = new Set(near.map((place) => place.endpoint.handlerName));
    return {
      ...diagnostic,
      routes: near.map(({ endpoint }) => routeOf(endpoint)),
      ...(version !== undefined && otherVersion === undefined && { version }),
      ...(handler !== undefined && otherHandler === undefined && { handler }),
    };
  });
}

interface EndpointPlace {
  readonly version: string;
  readonly endpoint: Endpoint;
  covers(diagnostic: Diagnostic): boolean;
}

/** A handler's lines are those of its text, because the types that are taken out of a program leave its lines alone. */
function placeOf(docs: Docs, version: string, endpoint: Endpoint): EndpointPlace {
  const [, file, start] = /^(.*):(\d+)$/.exec(docs.press.analysis?.outlineOf(endpoint)?.source ?? "") ?? [];
  const end = Number(start) + endpoint.handler.toString().split("\n").length - 1;
  const registered = endpoint.source && originalLocation(endpoint.source);
  return {
    version,
    endpoint,
    covers({ file: at, line = 0 }) {
      if (at === undefined) return false;
      if (at === file && line >= Number(start) && line <= end) return true;
      return registered?.line === line && registered.file.replaceAll("\\", "/").endsWith(`/${at}`);
    },
  };
}
