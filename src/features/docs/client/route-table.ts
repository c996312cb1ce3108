import type { OpenAPIDocument } from "../model/openapi.ts";
import { restDescription } from "../openapi/operation.ts";
import { deref, isObject, type Json, parametersOf } from "../specs/walk.ts";
import { listPlacedSchemes } from "./credentials.ts";
import { chooseBodyType, isJsonType } from "./media-types.ts";
import type { RouteOperation } from "./route-types.ts";
import { quote, writeBlock } from "./source-text.ts";

/** The entry of an operation in the table of the client, or `undefined` if it needs none. */
export function writeTableEntry(route: RouteOperation, document: OpenAPIDocument): string | undefined {
  const fields = [
    writeField("body", bodyTypeOf(route, document)),
    returnsOnlyJson(route, document) ? undefined : "isJson: false",
    writeField("rest", restOf(route, document)),
    writeSecurity(route, document),
    route.item.servers === undefined ? undefined : "isOutside: true",
  ].filter((field) => field !== undefined);
  if (fields.length === 0) return undefined;
  return `${quote(`${route.method} ${route.path}`)}: { ${fields.join(", ")} },`;
}

function writeField(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${name}: ${quote(value)}`;
}

function bodyTypeOf({ operation }: RouteOperation, document: OpenAPIDocument): string | undefined {
  const body = deref(document as unknown as Json, operation.requestBody);
  const type =
    isObject(body) && isObject(body.content) ? chooseBodyType(Object.keys(body.content)) : undefined;
  return type === "application/json" ? undefined : type;
}

/** Otherwise, the client looks at the type of the response. */
function returnsOnlyJson({ operation }: RouteOperation, document: OpenAPIDocument): boolean {
  const { responses } = operation;
  if (!isObject(responses)) return false;
  const successes = Object.entries(responses).filter(([status]) => /^[23]/.test(status) && status !== "304");
  return (
    successes.length > 0 &&
    successes.every(([status, value]) => {
      if (status === "204" || status === "205") return true;
      const response = deref(document as unknown as Json, value);
      const types = isObject(response) && isObject(response.content) ? Object.keys(response.content) : [];
      return types.length > 0 && types.every(isJsonType);
    })
  );
}

function restOf({ item, operation }: RouteOperation, document: OpenAPIDocument): string | undefined {
  const rest = parametersOf(document as unknown as Json, item, operation).find(
    (parameter) => parameter.in === "path" && parameter.description === restDescription,
  );
  return rest && String(rest.name);
}

/** If the scheme of an operation is not known, all credentials may be meant. */
function writeSecurity({ operation }: RouteOperation, document: OpenAPIDocument): string | undefined {
  const all = listPlacedSchemes(document).map(({ name }) => name);
  const { security = (document as unknown as Json).security } = operation;
  const names = Array.isArray(security)
    ? security.filter(isObject).flatMap((requirement) => Object.keys(requirement))
    : all;
  const known = [...new Set(names)].filter((name) => all.includes(name));
  return known.length === 0 ? undefined : `security: [${known.map(quote).join(", ")}]`;
}

/** The declaration of the table. */
export function writeTable(entries: readonly string[]): string {
  return `const routes: ApiRouteTable = ${writeBlock(entries)};\n`;
}
