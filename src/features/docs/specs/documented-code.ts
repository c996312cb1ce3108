import type { OpenAPIDocument, Parameter } from "../model/openapi.ts";
import { type FoundCode, type HandlerRecord, toHandlerRecord, toStruct } from "../openapi/found-code.ts";
import { listOperations, routeOf } from "../operations.ts";
import type { Version } from "../versions/version.ts";

/** The handlers and types as the documents describe them, if the source was not analyzed. */
export function toDocumentedCode(documents: ReadonlyMap<Version, OpenAPIDocument>): FoundCode {
  const handlers = new Map<string, HandlerRecord>();
  const structs = new Map<string, object>();
  for (const [version, document] of documents) {
    for (const { endpoint, documented } of listOperations(version, document)) {
      const { "x-source": source, ...operation } =
        documented?.operation ?? pathParametersOf(endpoint.parameters);
      const record = toHandlerRecord(endpoint.handlerName, { ...operation, source });
      const name = endpoint.handlerName ?? routeOf(endpoint);
      handlers.set(isOther(handlers.get(name), record) ? `${name} at ${routeOf(endpoint)}` : name, record);
    }
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      const struct = toStruct(name, schema);
      structs.set(isOther(structs.get(name), struct) ? `${name} of ${version.label}` : name, struct);
    }
  }
  return { handlers: Object.fromEntries(handlers), structs: Object.fromEntries(structs) };
}

/** The operation of a route that is not in its document. */
function pathParametersOf(names: readonly string[]): { parameters: Parameter[]; "x-source"?: string } {
  const schema = { type: "string" };
  return { parameters: names.map((name) => ({ name, in: "path", required: true, schema })) };
}

function isOther(known: object | undefined, next: object): boolean {
  return known !== undefined && JSON.stringify(known) !== JSON.stringify(next);
}
