import { defined } from "../../lib/defined.ts";
import { withSlashes } from "../../lib/paths/paths.ts";
import { originalLocation } from "../../lib/source/source-location.ts";
import type { Docs } from "./docs.ts";
import { authOf, type Endpoint } from "./registry/endpoint.ts";
import { toDocumentedCode } from "./specs/documented-code.ts";
import type { Asker } from "./versions/published.ts";
import { describeVersion, pageOf, type Version } from "./versions/version.ts";

/** Response bodies about versions, with the contract's field names. */

/** An entry of the list, with the fields of both formats in the contract. */
export function toVersionEntry(version: Version, basePath: string) {
  const { status, createdAt, updatedAt, endpoints } = describeVersion(version);
  const { title, description } = version.config;
  return {
    version: version.label,
    status,
    created_at: createdAt,
    updated_at: updatedAt,
    config: toShortConfig(version),
    endpoints,
    title,
    description,
    ...toLinks(version, basePath),
  };
}

/** A disabled version has no links, because its routes return 404. */
function toLinks(version: Version, basePath: string) {
  if (!version.config.enabled) return { enabled: false };
  return {
    enabled: true,
    docs_url: `${basePath}/api/docs/${version.label}`,
    swagger_url: basePath + pageOf(version),
  };
}

export function toVersionSummary(version: Version, basePath: string) {
  const { label, config, registry } = version;
  return {
    version: label,
    title: config.title,
    description: config.description,
    endpoints_count: registry.size,
    openapi_spec_url: `${basePath}/api/docs/${label}/openapi.json`,
    swagger_ui_url: basePath + pageOf(version),
  };
}

/** `showsNames`: schema names reveal what a private version is about, so not every reader sees them. */
export async function toSchemaConfig(docs: Docs, version: Version, asker: Asker, showsNames: boolean) {
  const { components = {} } = await docs.builder.create(version, asker);
  return {
    version: version.label,
    openapi: "3.0.3",
    generated_from: docs.builder.originOf(version),
    generated_at: (await docs.builder.madeAt(version, asker)).toISOString(),
    content_types: ["application/json"],
    security_schemes: Object.keys(components.securitySchemes ?? {}),
    components: showsNames ? Object.keys(components.schemas ?? {}) : [],
    config: { ...toShortConfig(version), status: version.config.status },
  };
}

function toShortConfig({ config }: Version) {
  return { title: config.title, version: config.version, public_swagger: config.publicSwagger };
}

/** The whole debug record, in both layouts that the contract shows. */
export async function toDebugRecord(docs: Docs, asker: Asker) {
  const { analysis } = docs.builder;
  const code = await analysis?.listCode();
  const create = async (version: Version) => [version, await docs.builder.create(version, asker)] as const;
  const documents = new Map(await Promise.all(docs.list().map(create)));
  const documented = toDocumentedCode(documents);
  const versions = Object.fromEntries(
    [...documents].map(([version, openapi]) => {
      const endpoints = version.registry.list().map(toEndpointRecord);
      const component_schemas = openapi.components?.schemas ?? {};
      return [version.label, { endpoints, component_schemas, openapi }] as const;
    }),
  );
  const mapVersions = <T>(of: (version: (typeof versions)[string]) => T) =>
    Object.fromEntries(Object.entries(versions).map(([label, version]) => [label, of(version)]));
  return {
    structs: code?.structs ?? documented.structs,
    handlers: { ...documented.handlers, ...code?.handlers },
    versions,
    endpoints_by_version: mapVersions(({ endpoints }) => endpoints),
    component_schemas: mapVersions(({ component_schemas }) => component_schemas),
    openapi_output: mapVersions(({ openapi }) => openapi),
    diagnostics: (analysis?.diagnostics ?? []).map(
      ({ isUnread: unread = false, preventsCheck: _, ...rest }) => ({
        ...rest,
        unread,
      }),
    ),
  };
}

function toEndpointRecord(endpoint: Endpoint) {
  const { method, path, handlerName } = endpoint;
  const source = endpoint.source && originalLocation(endpoint.source);
  return defined({
    method,
    path,
    handler: handlerName,
    auth: authOf(endpoint.notes()),
    file: source && withSlashes(source.file),
    line: source?.line,
    column: source?.column,
  });
}
