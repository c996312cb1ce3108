import type { OpenAPIDocument, Operation, Response } from "../../src/features/docs/model/openapi.ts";

/** What a document must say of one operation, written by an author who has not read the analysis. */
interface ExpectedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  /** By place and name: `query page`. All of them. */
  readonly parameters: Readonly<Record<string, { readonly required?: boolean; readonly schema: Json }>>;
  readonly body: { readonly required: boolean; readonly content: Readonly<Record<string, Json>> } | null;
  /** All of them but `default`. `error` is the shape of every error. */
  readonly responses: Readonly<Record<string, "error" | ExpectedResponse>>;
  readonly security?: readonly Json[];
  readonly deprecated?: boolean;
  /** The codes of the diagnostics, where the case is about them. */
  readonly diagnostics?: readonly string[];
}

interface ExpectedResponse {
  readonly content?: Readonly<Record<string, Json>>;
  readonly headers?: readonly string[];
}

export type ExpectedFacts = Readonly<Record<string, ExpectedOperation>>;

type Json = Readonly<Record<string, unknown>>;

/** Where a document says something else than is expected, as sentences. */
export function compareFacts(
  expected: ExpectedFacts,
  document: OpenAPIDocument,
  codes: readonly string[],
): string[] {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const found = new Map(operations as [string, Operation][]);
  const missing = Object.keys(expected).filter((key) => !found.has(key));
  const differences = Object.entries(expected).flatMap(([key, operation]) => {
    const actual = found.get(key);
    return actual ? compareOperation(operation, actual, document).map((line) => `${key}: ${line}`) : [];
  });
  const wanted = new Set(Object.values(expected).flatMap(({ diagnostics = [] }) => diagnostics));
  return [
    ...missing.map((key) => `${key}: not in the document`),
    ...[...found.keys()].filter((key) => !expected[key]).map((key) => `${key}: not expected`),
    ...differences,
    ...[...wanted].filter((code) => !codes.includes(code)).map((code) => `${code} was not reported`),
  ];
}

function compareOperation(
  expected: ExpectedOperation,
  actual: Operation,
  document: OpenAPIDocument,
): string[] {
  const lines: string[] = [];
  const same = (what: string, one: unknown, other: unknown) => {
    const [want, got] = [show(one), show(other)];
    if (want !== got) lines.push(`${what}: expected ${want}, got ${got}`);
  };
  for (const name of ["operationId", "summary", "security", "deprecated"] as const)
    if (expected[name] !== undefined) same(name, expected[name], actual[name]);
  const plain = (schema: unknown, like?: unknown) => normalize(expand(schema, document, like));
  const parameters = new Map(
    actual.parameters?.map((each) => [`${each.in} ${each.name.toLowerCase()}`, each]),
  );
  const wanted = new Map(
    Object.entries(expected.parameters).map(([key, each]) => {
      const [place, name] = key.split(" ");
      return [`${place} ${name!.toLowerCase()}`, each] as const;
    }),
  );
  same("parameters", [...wanted.keys()].sort(), [...parameters.keys()].sort());
  for (const [key, { required = key.startsWith("path "), schema }] of wanted) {
    const parameter = parameters.get(key);
    if (!parameter) continue;
    same(`${key} required`, required, parameter.required ?? false);
    same(key, normalize(schema), plain(parameter.schema, schema));
  }
  same("has a body", expected.body !== null, actual.requestBody !== undefined);
  if (expected.body && actual.requestBody) {
    same("body required", expected.body.required, actual.requestBody.required ?? false);
    same(
      "body types",
      Object.keys(expected.body.content).sort(),
      Object.keys(actual.requestBody.content).sort(),
    );
    for (const [type, schema] of Object.entries(expected.body.content))
      same(`body ${type}`, normalize(schema), plain(actual.requestBody.content[type]?.schema, schema));
  }
  const { default: _, ...responses } = actual.responses;
  same("statuses", Object.keys(expected.responses).sort(), Object.keys(responses).sort());
  for (const [status, response] of Object.entries(expected.responses)) {
    const written = responses[status];
    if (!written) continue;
    const given = ("$ref" in written ? find(written.$ref, document) : written) as Response;
    const content = given.content ?? {};
    if (response === "error") {
      same(`${status} is an error`, true, JSON.stringify(content).includes("#/components/schemas/Error"));
      continue;
    }
    same(`${status} types`, Object.keys(response.content ?? {}).sort(), Object.keys(content).sort());
    for (const [type, schema] of Object.entries(response.content ?? {}))
      same(`${status} ${type}`, normalize(schema), plain(content[type]?.schema, schema));
    if (response.headers)
      same(
        `${status} headers`,
        response.headers.map((name) => name.toLowerCase()).sort(),
        Object.keys(given.headers ?? {})
          .map((name) => name.toLowerCase())
          .sort(),
      );
  }
  return lines;
}

const show = (value: unknown): string => JSON.stringify(sortKeys(value));

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sortKeys(inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** References expanded, except within themselves, and where the expectation refers by name. */
function expand(
  schema: unknown,
  document: OpenAPIDocument,
  like: unknown,
  within: readonly string[] = [],
): unknown {
  if (Array.isArray(schema))
    return schema.map((each, index) =>
      expand(each, document, Array.isArray(like) ? like[index] : undefined, within),
    );
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref } = schema as { $ref?: string };
  const expectation = (like ?? {}) as Record<string, unknown>;
  if (typeof $ref === "string") {
    if (within.includes($ref) || typeof expectation.$ref === "string")
      return { $ref: $ref.split("/").at(-1) };
    return expand(find($ref, document), document, like, [...within, $ref]);
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, expand(inner, document, expectation[key], within)]),
  );
}

function find(reference: string, document: OpenAPIDocument): unknown {
  const names = reference.split("/").slice(1);
  return names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], document);
}

/** Details in which authors are free: the order of members, names of sources, texts, the discriminator. */
function normalize(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(normalize);
  if (typeof schema !== "object" || schema === null) return schema;
  const { "x-source": _, discriminator: __, title: ___, description: ____, ...rest } = schema as Json;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === "properties"
        ? Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, normalize(each)]))
        : normalize(value),
    ]),
  ) as Record<string, unknown>;
  for (const key of ["required", "enum"])
    if (Array.isArray(inner[key]))
      inner[key] = (inner[key] as unknown[]).toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
  if (Array.isArray(inner.required) && inner.required.length === 0) delete inner.required;
  for (const key of ["oneOf", "anyOf"])
    if (Array.isArray(inner[key])) {
      const members = (inner[key] as unknown[]).toSorted((one, other) => (show(one) < show(other) ? -1 : 1));
      delete inner[key];
      inner.anyOf = members;
    }
  const { allOf, ...beside } = inner;
  if (Array.isArray(allOf) && allOf.length === 1) return normalize({ ...(allOf[0] as object), ...beside });
  return inner;
}
