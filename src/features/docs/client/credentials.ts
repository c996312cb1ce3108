import type { OpenAPIDocument, SecurityScheme } from "../model/openapi.ts";
import { quote, writeBlock, writeComment, writeKey } from "./source-text.ts";

/** Where the client sends a credential. Cookies are sent by the browser. */
interface Placement {
  readonly header?: string;
  readonly query?: string;
  readonly prefix?: string;
}

function placementOf(scheme: SecurityScheme): Placement | undefined {
  if (scheme.type !== "apiKey")
    return { header: "authorization", prefix: isBasic(scheme) ? "Basic " : "Bearer " };
  if (scheme.in === "cookie") return undefined;
  return scheme.in === "header" ? { header: scheme.name } : { query: scheme.name };
}

function isBasic(scheme: SecurityScheme): boolean {
  return scheme.type === "http" && scheme.scheme.toLowerCase() === "basic";
}

/** The security schemes whose credentials the client sends. */
export function listPlacedSchemes({ components }: OpenAPIDocument) {
  return Object.entries(components?.securitySchemes ?? {}).flatMap(([name, scheme]) => {
    const placement = placementOf(scheme);
    return placement ? [{ name, scheme, placement }] : [];
  });
}

/** The interface of the credentials, and the table of the places to which they are sent. */
export function writeCredentials(document: OpenAPIDocument): { types: string; table: string } {
  const placed = listPlacedSchemes(document);
  const members = placed.map(({ name, scheme }) => {
    const type = isBasic(scheme) ? "ApiCredential<{ username: string; password: string }>" : "ApiCredential";
    return `${writeComment([scheme.description])}${writeKey(name)}?: ${type} | undefined;`;
  });
  const entries = placed.map(({ name, placement }) => {
    const fields = Object.entries(placement).map(([key, value]) => `${key}: ${quote(value)}`);
    return `${writeKey(name)}: { ${fields.join(", ")} },`;
  });
  return {
    types: `${writeComment(["Credentials by security scheme."])}export interface ApiCredentials ${writeBlock(members)}\n`,
    table: `const securitySchemes: ApiSecuritySchemes = ${writeBlock(entries)};\n`,
  };
}
