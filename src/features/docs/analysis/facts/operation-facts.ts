import { digestOf } from "../../../../lib/source/digest.ts";
import type { Diagnostic, OperationFacts } from "../../model/facts.ts";
import type { Parameter, RequestBody, Response, Schema } from "../../model/openapi.ts";
import type { Route } from "../handlers/route.ts";
import { findPatternProblems } from "../patterns/index.ts";
import type { Place } from "../source/source-file.ts";
import type { RawComponent, RawSchema, TypeProblem } from "../types/query.ts";
import type { Lookup } from "../types/schema/union.ts";
import { findCheckProblems, markUnknownInput } from "./check-problems.ts";
import { type BodyFacts, decidesAccess, type HandlerFacts } from "./handler-facts.ts";
import { MemberNames } from "./member-names.ts";
import { authorizationOf, isDocumented, toParameter } from "./parameters.ts";
import { queryParameters } from "./query-parameters.ts";
import { createResponses } from "./responses.ts";
import { type FindComponent, SecretBodies } from "./secret-bodies.ts";
import { bodySchema, querySchema, type TypeFacts } from "./type-facts.ts";

/** The part of the document that comes from one route's handler, and the problems found. */
export interface DescribedRoute {
  readonly facts: OperationFacts;
  /** Schemas without a named type, named after the handler; by identity. */
  readonly components: Readonly<Record<string, RawComponent>>;
  readonly problems: readonly Diagnostic[];
}

export interface Places {
  lineOf(file: string, offset: number): number;
  /** In displayable form: `src/todos.ts:12`. */
  show(file: string, line: number): string;
}

export function describeRoute(
  route: Route,
  handler: HandlerFacts,
  types: TypeFacts,
  places: Places,
  find: FindComponent,
): DescribedRoute {
  const lookup: Lookup = (identity) => find(identity)?.schema;
  const { isChecked = false } = route;
  const problems: Diagnostic[] = [...handler.problems];
  const lineOf = ({ file, start }: Pick<Place, "file" | "start">) =>
    start < 0 ? -start : places.lineOf(file, start);
  const report = (problem: Omit<Diagnostic, "file" | "line">, place: Pick<Place, "file" | "start">) =>
    void problems.push({ ...problem, file: place.file, line: lineOf(place) });
  const reads = handler.reads.filter((read) => {
    const isThere = read.in !== "path" || route.parameters.includes(read.name);
    if (!isThere) {
      const message = `The route has no path value "${read.name}", so reading it fails and the client receives 500. Add {${read.name}} to the path, or read a name that is in it.`;
      report({ code: "PATH_VALUE_UNKNOWN", message }, read.place);
    }
    return isThere;
  });
  for (const place of handler.uncheckedParses) {
    const message =
      "JSON.parse throws if the body is malformed, and the client receives 500. Read the body with e.bindBody(), which returns 400, or catch the error.";
    report({ code: "BODY_PARSED_UNCHECKED", message }, place);
  }
  const naming = new InlineNames(handler, lineOf(handler.place), lookup);
  const secret = decidesAccess(handler) ? new SecretBodies(find) : undefined;
  for (const query of handler.queries)
    if (query.isSecret) secret?.noteValues(querySchema(query, types).schema ?? {});
  const nameRequest = (schema: Schema) =>
    naming.nameRequest(secret && handler.isBodySecret ? secret.hideValues(schema) : schema);
  const bodies = handler.bodies.map((body) => describeBody(body, types, lookup));
  for (const { facts, schema, isForm, isValidated, ...body } of bodies) {
    const prevents = isChecked && !isValidated && { preventsCheck: true };
    const context = { isForm, isSecret: handler.isBodySecret, lookup, find };
    const unchecked = prevents ? [...body.inexact, ...findCheckProblems(facts, schema, context)] : [];
    for (const { code, message, file, line } of [...body.problems, ...unchecked])
      report({ code, message, ...prevents }, file && line ? { file, start: -line } : facts.place);
  }
  const requestBody = createBody(handler, bodies, nameRequest, lookup);
  const all = createResponses(handler, types, report, lookup);
  const responses = naming.nameResponses(secret ? hideInResponses(all, secret) : all);
  const show = (place: Place) => places.show(place.file, lineOf(place));
  const parameters = reads.filter(isDocumented).map((read) => toParameter(read, show(read.place)));
  for (const { name, place } of reads.filter(isDocumented)) {
    const known = parameters.filter((each) => each.name === name);
    for (const problem of findPatternProblems(known.map(({ schema }) => schema)))
      report({ ...problem, ...(isChecked && { preventsCheck: true }) }, place);
  }
  const validated = handler.queries.flatMap((query) =>
    queryParameters(query, { types, show, report, lookup, pathNames: route.parameters }),
  );
  // A path value that is read as well is a plain string there.
  const isRead = ({ in: at, name }: Parameter) =>
    at === "query" && parameters.some((each) => each.in === at && each.name === name);
  return {
    facts: {
      ...handler.directives,
      ...(handler.name && { name: handler.name }),
      parameters: [...parameters, ...validated],
      ...(authorizationOf(reads) && { authorization: authorizationOf(reads) }),
      ...(requestBody && { requestBody }),
      responses,
      isComplete: !handler.isHidden,
      source: show(handler.place),
      ...(isChecked && {
        validated: {
          body: bodies.every(({ isValidated }) => isValidated),
          parameters: validated.filter((each) => !isRead(each)).map(({ in: at, name }) => `${at} ${name}`),
        },
      }),
    },
    components: { ...naming.components, ...secret?.components },
    problems: isChecked ? markUnknownInput(problems) : problems,
  };
}

interface DescribedBody {
  readonly facts: BodyFacts;
  readonly schema: Schema;
  /** Whether it is a form with files. */
  readonly isForm: boolean;
  /** Whether the handler validates it, or does not decode it. */
  readonly isValidated: boolean;
  readonly problems: readonly TypeProblem[];
  /** Why its schema allows more than its type. */
  readonly inexact: readonly TypeProblem[];
}

function createBody(
  handler: HandlerFacts,
  bodies: readonly DescribedBody[],
  nameRequest: (schema: Schema) => Schema,
  lookup: Lookup,
): RequestBody | undefined {
  if (bodies.length === 0) return undefined;
  const content: Record<string, Schema[]> = {};
  const only = bodies.every(({ facts }) => facts.by !== "bindBody") ? onlyContentType(handler) : undefined;
  for (const { facts, schema, isForm } of bodies) {
    const type = isForm ? "multipart/form-data" : (only ?? contentTypes[facts.form]);
    const alsoForm = facts.form === "bound" && isOfTexts(schema, lookup);
    for (const each of alsoForm ? [type, "application/x-www-form-urlencoded"] : [type])
      addOnce(content, each, schema);
  }
  // A text that is also parsed is one body, not two.
  if (content["application/json"]) delete content["text/plain"];
  return {
    required: bodies.some(({ facts }) => facts.isRequired),
    content: Object.fromEntries(
      Object.entries(content).map(([type, schemas]) => [
        type,
        { schema: nameRequest(schemas.length === 1 ? schemas[0]! : { anyOf: schemas }) },
      ]),
    ),
  };
}

function hideInResponses(
  responses: Readonly<Record<string, Response>>,
  secret: SecretBodies,
): Record<string, Response> {
  const hide = ({ content, ...response }: Response): Response => {
    if (!content) return response;
    const hidden = Object.entries(content).map(([type, { schema, ...rest }]) => [
      type,
      { ...rest, schema: secret.hideInResponse(schema) },
    ]);
    return { ...response, content: Object.fromEntries(hidden) };
  };
  return Object.fromEntries(Object.entries(responses).map(([status, each]) => [status, hide(each)]));
}

const contentTypes = {
  bound: "application/json",
  json: "application/json",
  text: "text/plain",
  bytes: "application/octet-stream",
} as const;

/** The only accepted content type: `if (e.header("content-type") !== "text/csv") throw …`. */
function onlyContentType({ reads }: HandlerFacts): string | undefined {
  const read = reads.find(({ in: place, name }) => place === "header" && /^content-type$/i.test(name));
  const [value, another] = read?.values ?? [];
  return typeof value === "string" && another === undefined ? value.split(";")[0]!.trim() : undefined;
}

function addOnce(content: Record<string, Schema[]>, type: string, schema: Schema): void {
  const known = content[type] ?? [];
  content[type] = known;
  if (!known.some((each) => JSON.stringify(each) === JSON.stringify(schema))) known.push(schema);
}

/** Form fields are strings. A field that is sent once is not an array, so arrays are excluded. */
function isOfTexts(schema: Schema, lookup: Lookup): boolean {
  const whole = ("$ref" in schema ? lookup(schema.$ref as string) : schema) as RawSchema | undefined;
  if (whole?.type !== "object" || !whole.properties || whole.additionalProperties) return false;
  return Object.values(whole.properties).every((property) => {
    const inner = "$ref" in property ? lookup(property.$ref as string) : property;
    return inner?.type === "string" && inner.format !== "binary";
  });
}

/** Only a multipart body can contain a file as a field. */
function holdsFile(schema: Schema, lookup: Lookup): boolean {
  const whole = "$ref" in schema ? lookup(schema.$ref as string) : schema;
  const { properties = {} } = (whole ?? {}) as { properties?: Record<string, unknown> };
  return Object.values(properties).some((property) => JSON.stringify(property).includes('"format":"binary"'));
}

function describeBody(body: BodyFacts, types: TypeFacts, lookup: Lookup): DescribedBody {
  const described = { facts: body, isForm: false, isValidated: true, problems: [], inexact: [] };
  if (body.form === "text") return { ...described, schema: { type: "string" } };
  if (body.form === "bytes") return { ...described, schema: { type: "string", format: "binary" } };
  const { schema, facts, reason, isValidated = false } = bodySchema(body, types);
  const message =
    "The type of this body is not known, so the document allows any body. Write e.bindBody<Type>(), or pass a schema.";
  // The reason belongs to the body, wherever the type is.
  const unknown = reason
    ? { code: reason.code, message: reason.message }
    : { code: "BODY_TYPE_UNKNOWN", message };
  return {
    facts: body,
    schema: schema ?? {},
    isForm: schema !== undefined && holdsFile(schema, lookup),
    isValidated,
    problems: [
      ...facts.flatMap((fact) => fact.problems),
      ...(schema === undefined && types.isKnown ? [unknown] : []),
    ],
    inexact: facts.flatMap((fact) => fact.inexact ?? []),
  };
}
/**
 * Names inline schemas: those of `getOrderHandler` become `GetOrderInput` and `GetOrderResult`. Generators use
 * `GetOrderRequest` and `GetOrderResponse` for their own types.
 */
class InlineNames {
  readonly components: Record<string, RawComponent> = {};
  private readonly base: string | undefined;
  private readonly file: string;
  private readonly line: number;
  private readonly lookup: Lookup;

  constructor({ name, place }: HandlerFacts, line: number, lookup: Lookup) {
    const bare = name?.replace(/(?<=.)Handler$/, "").replace(/[^\p{L}\p{N}_]/gu, "");
    this.base = bare ? bare[0]!.toUpperCase() + bare.slice(1) : undefined;
    this.file = place.file;
    this.line = line;
    this.lookup = lookup;
  }

  nameRequest(schema: Schema): Schema {
    return this.name(schema, "Input");
  }

  nameResponses(responses: Record<string, Response>): Record<string, Response> {
    let isFirst = true;
    return Object.fromEntries(
      Object.entries(responses)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([status, response]) => {
          const json = response.content?.["application/json"];
          if (!json || !isNamed(json.schema)) return [status, response];
          const suffix = isFirst && status < "4" ? "Result" : `${status}Result`;
          if (status < "4" && isInline(json.schema)) isFirst = false;
          return [
            status,
            {
              ...response,
              content: {
                ...response.content,
                "application/json": { schema: this.name(json.schema, suffix) },
              },
            },
          ];
        }),
    );
  }

  private name(schema: Schema, suffix: string): Schema {
    if (!this.base) return schema;
    const name = this.base + suffix;
    if (!isInline(schema)) return this.nameUnion(schema, name);
    // One function may serve several routes with different types.
    const identity = `${this.file}:${this.line}#${name} ${digestOf(JSON.stringify(schema))}`;
    this.components[identity] = {
      name,
      schema: schema as Record<string, unknown>,
      file: this.file,
      line: this.line,
    };
    return { $ref: identity };
  }

  /** A union itself remains inline. Its members get names if there is a discriminator. */
  private nameUnion(schema: Schema, name: string): Schema {
    const { file, line } = this;
    const identity = `${file}:${line}#${name} ${digestOf(JSON.stringify(schema))}`;
    const members = new MemberNames(identity, { name, file, line }, this.lookup);
    const named = members.name(schema as RawSchema);
    Object.assign(this.components, members.components);
    return named as Schema;
  }
}

const isInline = (schema: Schema) => "properties" in schema;
const isNamed = (schema: Schema) => isInline(schema) || "oneOf" in schema;
