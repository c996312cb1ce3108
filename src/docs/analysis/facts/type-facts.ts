import type { Place } from "../source/source-file.ts";
import type { AnswerFact, RawSchema, TypeFact, TypeQuery } from "../types/query.ts";
import type { HandlerFacts } from "./handler-facts.ts";

/** What is known of types: answers to questions that were asked before. */
export interface TypeFacts {
  /** Whether types have been asked for at all. */
  readonly isKnown: boolean;
  of(query: TypeQuery): TypeFact | undefined;
}

export const noTypes: TypeFacts = { isKnown: false, of: () => undefined };

export const queryKey = ({ kind, file, start, end, status }: TypeQuery): string =>
  `${kind} ${file}:${start}-${end}${status === undefined ? "" : ` ${status}`}`;

const ask = (kind: TypeQuery["kind"], { file, start, end }: Place): TypeQuery => ({ kind, file, start, end });

/** Everything that types could tell of a handler. */
export function questionsOf({ place, expression, isHidden, bodies, answers }: HandlerFacts): TypeQuery[] {
  const asksWhole = isHidden || answers.some(({ form }) => form === "json");
  return [
    ...bodies.flatMap((body) => bodyQuestions(body)),
    ...answers.flatMap(({ statusAt, data, calls, form }) => [
      ...statusAt.map((each) => ask("expression", each)),
      ...data.map((each) => ask("expression", each)),
      ...(form === "json" ? calls.map((each) => ask("answers", each)) : []),
    ]),
    ...(asksWhole ? [ask("answers", place)] : []),
    ...(asksWhole && expression ? [ask("answers", expression)] : []),
  ];
}

type BodyFacts = HandlerFacts["bodies"][number];

/** In the order in which they are believed. */
function bodyQuestions({ form, named, types, schema, place }: BodyFacts): TypeQuery[] {
  if (form !== "bound" && form !== "json") return [];
  return [
    ...(schema ? [ask("input", schema)] : []),
    ...(named ? [ask("type", named)] : []),
    ...types.map((each) => ask(each.kind, each.place)),
    ...(form === "bound" && !schema ? [ask("expression", place)] : []),
  ];
}

export interface Found {
  readonly schema: RawSchema | undefined;
  readonly facts: readonly TypeFact[];
}

const isTold = (fact: TypeFact | undefined): fact is TypeFact & { schema: RawSchema } =>
  fact?.schema !== undefined && !fact.isOpen && !fact.isUnknown;

export function bodySchema(body: BodyFacts, types: TypeFacts): Found {
  const facts = bodyQuestions(body).map((query) => types.of(query));
  const told = facts.find(isTold);
  return { schema: told?.schema, facts: told ? [told] : [] };
}

/** The schema of what an answer sends with a status. */
export function dataSchema(
  answer: HandlerFacts["answers"][number],
  status: number,
  { place: own, expression }: HandlerFacts,
  types: TypeFacts,
): Found {
  for (const place of answer.data) {
    const fact = types.of(ask("expression", place));
    if (isTold(fact)) return { schema: fact.schema, facts: [fact] };
  }
  for (const place of [...answer.calls, own, ...(expression ? [expression] : [])]) {
    const fact = types.of(ask("answers", place));
    const found = answersOf(fact).find((each) => each.status === status && each.schema);
    if (fact && found?.schema && Object.keys(found.schema).length > 0)
      return { schema: found.schema, facts: [fact] };
  }
  return { schema: undefined, facts: [] };
}

/** Statuses that only the type of the expression tells. */
export function statusesOf(
  { statuses, statusAt }: HandlerFacts["answers"][number],
  types: TypeFacts,
): number[] {
  if (statuses.length > 0) return [...statuses];
  for (const place of statusAt) {
    const values = types.of(ask("expression", place))?.values;
    if (values && values.length > 0 && values.every((value) => typeof value === "number")) return [...values];
  }
  return [];
}

/** What the handler's return type says it answers. */
export function returnedAnswers(
  { place, expression }: HandlerFacts,
  types: TypeFacts,
): readonly AnswerFact[] {
  const own = answersOf(types.of(ask("answers", place)));
  return own.length > 0 || !expression ? own : answersOf(types.of(ask("answers", expression)));
}

const answersOf = (fact: TypeFact | undefined): readonly AnswerFact[] => fact?.answers ?? [];
