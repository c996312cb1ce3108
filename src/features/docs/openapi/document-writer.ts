import { type Findings, type NamedSchema, noFindings, type OperationFacts } from "../model/facts.ts";
import type { OpenAPIDocument, Operation } from "../model/openapi.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { type Fragment, Fragments, writeFragment } from "./components/fragments.ts";
import { chooseNames, collectUsed, withSource } from "./components/names.ts";
import { pickReferenced } from "./components/references.ts";
import { errorResponses, errorSchema, errorSchemaName } from "./components/shared-components.ts";
import { createExternalDocs, createInfo, type DocumentParts } from "./document.ts";
import { createPlaces, type Place, relativePath, sortEndpoints, tagOf } from "./endpoint-places.ts";
import { createOperation } from "./operation.ts";
import { createOperationIds } from "./operation-ids.ts";
import { Security } from "./security.ts";

/** The OpenAPI 3.0.3 document of one version. The same input gives the same document, in the same order. */
export function createDocument(parts: DocumentParts): OpenAPIDocument {
  return JSON.parse(new DocumentWriter().write(parts)) as OpenAPIDocument;
}

interface PlacedOperation extends Place {
  readonly method: string;
  readonly fragment: Fragment;
}

type Texts = readonly (readonly [key: string, text: string])[];

/**
 * Writes documents as text. The text of operations and schemas is cached, so an edit rewrites only what has changed.
 */
export class DocumentWriter {
  private readonly operations = new Fragments();
  private readonly schemas = new Fragments();

  write(parts: DocumentParts): string {
    const { config, endpoints, findings = noFindings, servers, showsSources = true } = parts;
    const security = new Security(config.securitySchemes, findings);
    const operations = this.placeOperations(parts, security);
    const schemaOf = ({ schema, source }: NamedSchema) =>
      this.schemas.get(schema, `${source} ${showsSources}`, () =>
        withSource(schema, showsSources ? source : undefined),
      );
    const { used, others } = collectUsed(
      operations.flatMap(({ fragment }) => fragment.references),
      findings.schemas,
      (named) => schemaOf(named).references,
    );
    const names = chooseNames(used, findings.schemas, [errorSchemaName]);
    const textOf = (fragment: Fragment) => writeFragment(fragment, names, showsSources);
    const shared = pickReferenced(others, {
      schemas: { [errorSchemaName]: errorSchema },
      responses: errorResponses.components(),
    });
    const own = [...names].map(
      ([identity, name]) => [name, textOf(schemaOf(findings.schemas[identity]!))] as const,
    );
    const components: Texts = [
      ["schemas", joinSorted([...own, ...toTexts(shared.schemas)])],
      ["responses", joinSorted(toTexts(shared.responses))],
      ["securitySchemes", JSON.stringify(security.schemes)],
    ];
    const filled = components.filter(([, text]) => text !== "{}");
    return join([
      ...toTexts({ openapi: "3.0.3", info: createInfo(config), servers }),
      ...(operations.length > 0 ? toTexts({ tags: listTags(operations) }) : []),
      ["paths", joinPaths(operations, textOf)],
      ...(filled.length > 0 ? [["components", join(filled)] as const] : []),
      ...toTexts({
        externalDocs: createExternalDocs(config),
        "x-analysis": parts.findings && toAnalysisRecord(endpoints, findings),
      }),
    ]);
  }

  private placeOperations(
    { config, endpoints, findings = noFindings, prefix, roots, showsSources }: DocumentParts,
    security: Security,
  ): PlacedOperation[] {
    const ids = createOperationIds(endpoints, (endpoint) => factsOf(findings, endpoint)?.name);
    const deprecation = config.status === "deprecated" ? { sunset: config.sunset } : undefined;
    const placeOf = createPlaces(endpoints, prefix, roots);
    return sortEndpoints(endpoints).map((endpoint) => {
      const facts = factsOf(findings, endpoint) ?? {};
      const place = placeOf(endpoint);
      const context = {
        operationId: ids.get(endpoint)!,
        path: place.path,
        defaultTag: tagOf(relativePath(place.path, prefix) ?? place.path),
        deprecation,
        requirement: security.requirementOf(endpoint, facts),
      };
      const fragment = this.operations.get(facts, JSON.stringify([endpoint, context, showsSources]), () =>
        createOperation(endpoint, { ...context, facts }),
      );
      return { ...place, method: endpoint.method.toLowerCase(), fragment };
    });
  }
}

function factsOf({ facts }: Findings, { key }: EndpointData): OperationFacts | undefined {
  return key === undefined ? undefined : facts[key];
}

/** Without an analysis, no operation is exact. */
function toAnalysisRecord(endpoints: readonly EndpointData[], findings: Findings) {
  const { level, diagnostics } = findings;
  const read = endpoints.filter((endpoint) => factsOf(findings, endpoint) !== undefined).length;
  return {
    level: read === 0 ? "none" : level,
    operations: endpoints.length,
    read,
    diagnostics: diagnostics.length,
  };
}

function listTags(operations: readonly PlacedOperation[]): { name: string }[] {
  const names = new Set(operations.flatMap(({ fragment }) => (fragment.value as Operation).tags ?? []));
  return [...names].sort().map((name) => ({ name }));
}

function joinPaths(operations: readonly PlacedOperation[], textOf: (fragment: Fragment) => string): string {
  const paths = Map.groupBy(operations, ({ path }) => path);
  return join(
    [...paths].map(([path, all]) => {
      const { servers } = all[0]!;
      const methods = all.map(({ method, fragment }) => [method, textOf(fragment)] as const);
      return [path, join([...toTexts({ servers }), ...methods])];
    }),
  );
}

/** Undefined values are omitted. */
function toTexts(values: object): Texts {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, JSON.stringify(value)] as const],
  );
}

const joinSorted = (texts: Texts) => join(texts.toSorted(([one], [other]) => (one < other ? -1 : 1)));

const join = (texts: Texts) => `{${texts.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
