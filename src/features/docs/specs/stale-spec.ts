import { joinSome } from "../../../lib/text/join-some.ts";
import type { OpenAPIDocument, Operation } from "../model/openapi.ts";
import { wholePath } from "../openapi/places.ts";
import { listOperations, routeOf } from "../operations.ts";
import type { Version } from "../versions/version.ts";
import { methodsOf } from "./walk.ts";

/** How a document that was generated earlier differs from the running routes; `undefined` if it has the same ones. */
export function describeStaleSpec(version: Version, document: OpenAPIDocument): string | undefined {
  const operations = listOperations(version, document);
  const missing = operations.filter(({ documented }) => !documented).map(({ endpoint }) => routeOf(endpoint));
  const served = new Set(operations.map(({ documented }) => documented?.operation));
  const gone = Object.entries(document.paths).flatMap(([path, item]) =>
    methodsOf({ ...item })
      .filter(([, operation]) => !served.has(operation as unknown as Operation))
      .map(([method]) => `${method.toUpperCase()} ${wholePath(document, version.prefix, path)}`),
  );
  const differences = [
    ...(missing.length > 0 ? [`it lacks the routes ${joinSome(missing)}`] : []),
    ...(gone.length > 0 ? [`it contains routes that are not registered: ${joinSome(gone)}`] : []),
  ];
  return differences.length > 0 ? differences.join(", and ") : undefined;
}
