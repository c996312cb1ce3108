import type { OpenAPIDocument, OperationMethod } from "./model/openapi.ts";
import type { Analysis } from "./openapi/analysis.ts";
import { expectedBody } from "./openapi/expected-body.ts";
import { documentedPattern } from "./openapi/places.ts";
import type { Version } from "./versions/version.ts";

/**
 * Handlers that expect an object read its fields, and fail with 500 if the body is `null`. Handlers that expect a file
 * fail if the body is JSON. The documents show which handlers do, so such bodies can be rejected before.
 */
export function refuseOtherBodies({ registry }: Version, analysis: Analysis): void {
  for (const endpoint of registry.list())
    endpoint.refuseOtherBodies(analysis.outlineOf(endpoint) ?? { takesObject: false, takesFiles: false });
}

/** The same, based on a document generated earlier. */
export function refuseOtherBodiesBy(
  { registry, prefix }: Version,
  { paths, components }: OpenAPIDocument,
): void {
  const lookup = (reference: string) => components?.schemas?.[reference.split("/").at(-1)!];
  for (const endpoint of registry.list()) {
    const path = documentedPattern(endpoint.path);
    const item =
      paths[path] ?? (path.startsWith(`${prefix}/`) ? paths[path.slice(prefix.length)] : undefined);
    const operation = item?.[endpoint.method.toLowerCase() as OperationMethod];
    endpoint.refuseOtherBodies(expectedBody(operation?.requestBody, lookup));
  }
}
