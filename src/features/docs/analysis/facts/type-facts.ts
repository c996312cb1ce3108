import type { BuiltPart } from "../flow/values/effects.ts";
import type { Place } from "../source/source-file.ts";
import type { RawSchema, ResponseFact, TypeFact, TypeProblem, TypeQuery } from "../types/query.ts";
import { builtSchema } from "./built-schema.ts";
import type { HandlerFacts, QueryFacts, ResponseFacts } from "./handler-facts.ts";

/** The results of earlier type queries. */
export interface TypeFacts {
  /** Whether types have been queried at all. */
  readonly isKnown: boolean;
  of(query: TypeQuery): TypeFact | undefined;
}

export const noTypes: TypeFacts = { isKnown: false, of: () => undefined };

export const queryKey = ({ kind, file, start, end, status }: TypeQuery): string =>
  `${kind} ${file}:${start}-${end}${status === undefined ? "" : ` ${status}`}`;

const question = (kind: TypeQuery["kind"], { file, start, end }: Place): TypeQuery => ({
  kind,
  file,
  start,
  end,
});

/**
 * The next type queries for a handler; empty if everything is known. The best locations come first, and the others
 * follow only if those had no result.
 */
export function nextQuestions(handler: HandlerFacts, types: TypeFacts): TypeQuery[] {
  const next: TypeQuery[] = [];
  const ask = (queries: readonly TypeQuery[], isEnough: (fact: TypeFact, query: TypeQuery) => boolean) => {
    for (const query of queries) {
      const fact = types.of(query);
      if (!fact) next.push(query);
      if (!fact || isEnough(fact, query)) return;
    }
  };
  for (const body of handler.bodies) ask(bodyQuestions(body), hasSchema);
  for (const query of handler.queries) ask(queryQuestions(query), hasSchema);
  for (const response of handler.responses) {
    ask(
      response.statusAt.map((place) => question("expression", place)),
      (fact) => numbersIn(fact).length > 0,
    );
    ask(
      response.typeAt.map((place) => question("expression", place)),
      (fact) => mediaTypesIn(fact).length > 0,
    );
    if (response.form !== "json") continue;
    for (const place of response.choices) ask([question("data", place)], () => true);
    for (const query of builtQuestions(response)) ask([query], () => true);
    if (choiceSchemas(response, types)) continue;
    for (const status of statusesOf(response, types)) {
      ask(dataQuestions(response, handler), (fact, { kind }) =>
        kind === "responses" ? bodyOf(fact, status) !== undefined : hasSchema(fact),
      );
    }
  }
  if (handler.isHidden) ask(wholeQuestions(handler), (fact) => responsesOf(fact).length > 0);
  return next;
}

function dataQuestions({ data, calls }: ResponseFacts, handler: HandlerFacts): TypeQuery[] {
  // The type may be more precise in the function that sends the response than at its origin. Promises are awaited on
  // the way.
  const [inner, ...outer] = data.toReversed();
  return [
    ...(inner ? [question("data", inner)] : []),
    ...outer.map((place) => question("expression", place)),
    ...calls.map((place) => question("responses", place)),
    ...wholeQuestions(handler),
  ];
}

function builtQuestions({ built }: ResponseFacts): TypeQuery[] {
  if (!built) return [];
  return [...(built.initial ? [question("data", built.initial)] : []), ...built.parts.map(partQuestion)];
}

const partQuestion = ({ name, place }: BuiltPart): TypeQuery => ({ ...question("field", place), name });

/** Queries for the whole function and for the expression passed to the router. */
function wholeQuestions({ place, expression }: HandlerFacts): TypeQuery[] {
  return [place, ...(expression ? [expression] : [])].map((each) => question("responses", each));
}

const queryQuestions = ({ validators }: QueryFacts) => validators.map((place) => question("input", place));

/** The schema of the validator that receives all query parameters. */
export function querySchema(query: QueryFacts, types: TypeFacts): Found {
  const withSchema = queryQuestions(query)
    .map((each) => types.of(each))
    .find(hasSchema);
  return { schema: withSchema?.schema, facts: withSchema ? [withSchema] : [] };
}

/** The facts of `cond ? a : b`, if all of them are known. */
function choiceSchemas({ choices }: ResponseFacts, types: TypeFacts): readonly FactWithSchema[] | undefined {
  const facts = choices.map((place) => types.of(question("data", place))).filter(hasSchema);
  return choices.length > 0 && facts.length === choices.length ? facts : undefined;
}

type BodyFacts = HandlerFacts["bodies"][number];

/** In order of precedence. */
function bodyQuestions({ form, named, types, schema, place }: BodyFacts): TypeQuery[] {
  if (form !== "bound" && form !== "json") return [];
  return [
    ...(schema ? [question("input", schema)] : []),
    ...(named ? [question("type", named)] : []),
    ...types.map((each) => question(each.kind, each.place)),
    ...(form === "bound" && !schema ? [question("expression", place)] : []),
  ];
}

/** All queries about a handler: those for its bodies and those needed for its responses. */
export function questionsOf(handler: HandlerFacts, types: TypeFacts): TypeQuery[] {
  const asked = handler.bodies.flatMap(bodyQuestions);
  nextQuestions(handler, {
    isKnown: types.isKnown,
    of(query) {
      asked.push(query);
      return types.of(query);
    },
  });
  return [...asked, ...wholeQuestions(handler)];
}

export interface Found {
  readonly schema: RawSchema | undefined;
  readonly facts: readonly TypeFact[];
  /** Why the schema is missing, if the compiler could not resolve the type. */
  readonly reason?: TypeProblem | undefined;
  /** Whether the schema is that of a validator, which the handler calls. */
  readonly isValidated?: boolean | undefined;
}

function unresolvedIn(queries: readonly TypeQuery[], types: TypeFacts): TypeProblem | undefined {
  return queries
    .flatMap((query) => types.of(query)?.problems ?? [])
    .find(({ code }) => code === "TYPE_UNRESOLVED" || code === "TYPE_NOT_INCLUDED");
}

type FactWithSchema = TypeFact & { readonly schema: RawSchema };

const hasSchema = (fact: TypeFact | undefined): fact is FactWithSchema =>
  fact?.schema !== undefined && !fact.isOpen && !fact.isUnknown;

export function bodySchema(body: BodyFacts, types: TypeFacts): Found {
  const queries = bodyQuestions(body);
  for (const query of queries) {
    const fact = types.of(query);
    const isValidated = body.schema !== undefined || query.kind === "input";
    if (hasSchema(fact)) return { schema: fact.schema, facts: [fact], isValidated };
  }
  const isValidated = body.schema !== undefined;
  return { schema: undefined, facts: [], reason: unresolvedIn(queries, types), isValidated };
}

/**
 * The schemas of the data that a response sends with a status. The data matches one of them. Empty if they are not
 * known.
 */
export function dataSchema(
  response: ResponseFacts,
  status: number,
  handler: HandlerFacts,
  types: TypeFacts,
): Omit<Found, "schema"> & { readonly schemas: readonly RawSchema[] } {
  const choices = choiceSchemas(response, types);
  if (choices) return { schemas: choices.map(({ schema }) => schema), facts: choices };
  const queries = dataQuestions(response, handler);
  const [own] = queries;
  const built = own && builtData(response, types.of(own), types);
  if (built) return built;
  for (const query of queries) {
    const fact = types.of(query);
    const schema =
      query.kind === "responses" ? fact && bodyOf(fact, status) : hasSchema(fact) ? fact.schema : undefined;
    if (fact && schema) return { schemas: [schema], facts: [fact] };
  }
  return { schemas: [], facts: [], reason: unresolvedIn(queries, types) };
}

/** The schema of data built step by step, if its own type leaves it open. */
function builtData(response: ResponseFacts, own: TypeFact | undefined, types: TypeFacts) {
  const { built } = response;
  const isOpen = built && own && (hasSchema(own) || own.isUnknown);
  const schema =
    isOpen &&
    builtSchema(built, hasSchema(own) ? own.schema : undefined, {
      of: (part) => types.of(partQuestion(part)),
      initial: built.initial && types.of(question("data", built.initial)),
    });
  const facts = builtQuestions(response).flatMap((query) => types.of(query) ?? []);
  return schema ? { schemas: [schema], facts } : undefined;
}

/** The body sent with a status, unless it could be anything. */
function bodyOf(fact: TypeFact, status: number): RawSchema | undefined {
  const schema = responsesOf(fact).find((each) => each.status === status && each.schema)?.schema;
  return schema && Object.keys(schema).length > 0 ? schema : undefined;
}

/** Statuses from the type of the expression, if they are not known otherwise. */
export function statusesOf({ statuses, statusAt }: ResponseFacts, types: TypeFacts): number[] {
  if (statuses.length > 0) return [...statuses];
  const facts = statusAt.map((place) => types.of(question("expression", place)));
  return facts.map((fact) => (fact ? numbersIn(fact) : [])).find((numbers) => numbers.length > 0) ?? [];
}

/** Content types from the type of the expression, if they are not known otherwise. */
export function contentTypesOf({ types: known, typeAt }: ResponseFacts, types: TypeFacts): readonly string[] {
  if (known.length > 0) return known;
  const facts = typeAt.map((place) => types.of(question("expression", place)));
  return facts.map((fact) => (fact ? mediaTypesIn(fact) : [])).find((found) => found.length > 0) ?? [];
}

function mediaTypesIn({ values = [] }: TypeFact): string[] {
  const isMediaType = (value: unknown) =>
    typeof value === "string" && /^[\w.+-]+\/[\w.+-]+\s*(?:;|$)/.test(value);
  return values.every(isMediaType) ? (values as string[]) : [];
}

function numbersIn({ values = [] }: TypeFact): number[] {
  return values.every((value) => typeof value === "number") ? [...values] : [];
}

/** The responses according to the handler's return type. */
export function returnedResponses(handler: HandlerFacts, types: TypeFacts): readonly ResponseFact[] {
  const facts = wholeQuestions(handler).map((query) => responsesOf(types.of(query)));
  return facts.find((responses) => responses.length > 0) ?? [];
}

const responsesOf = (fact: TypeFact | undefined): readonly ResponseFact[] => fact?.responses ?? [];
