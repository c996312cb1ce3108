import type { Diagnostic, Directives } from "../../model/facts.ts";
import type { Summary } from "../flow/summaries.ts";
import { literalsOf, membersOf, shownLiteralsOf } from "../flow/values/alternatives.ts";
import { type BuiltData, malformedBody, type ResponseMade, thrownBehind } from "../flow/values/effects.ts";
import type { BodyRead, Read, TypePlace } from "../flow/values/reads.ts";
import type { Value } from "../flow/values/value.ts";
import type { FoundHandler } from "../handlers/find-handler.ts";
import type { Place } from "../source/source-file.ts";
import { mergeReads } from "./parameters.ts";

/**
 * The syntax analysis of one handler, as plain data that can be stored on disk and sent to another thread. Where only a
 * type can provide more, it contains the location for the type query.
 */
export interface HandlerFacts {
  readonly name: string | undefined;
  readonly place: Place;
  /** The expression passed to the router, if it is not the function itself. */
  readonly expression?: Place | undefined;
  /** Whether there may be responses that the calls do not show. */
  readonly isHidden: boolean;
  /** Whether it may return a response that the analysis cannot see. */
  readonly returnsHidden: boolean;
  readonly directives: Directives;
  readonly reads: readonly Read[];
  readonly bodies: readonly BodyFacts[];
  /** Whether a request may be rejected with 401 or 403 because of its body. */
  readonly isBodySecret: boolean;
  readonly responses: readonly ResponseFacts[];
  readonly errors: readonly ErrorFacts[];
  /** Where all query parameters or path values may be passed to validators. */
  readonly queries: readonly QueryFacts[];
  /** Where a malformed body makes `JSON.parse` throw an uncaught error. */
  readonly uncheckedParses: readonly Place[];
  readonly problems: readonly Diagnostic[];
}

export type BodyFacts = Pick<BodyRead, "place" | "by" | "form" | "named" | "isRequired" | "isCaught"> & {
  readonly types: readonly TypePlace[];
  /** The validator for it. */
  readonly schema: Place | undefined;
};

export interface ResponseFacts {
  readonly place: Place;
  readonly form: ResponseMade["form"];
  /** Empty if they are not known. */
  readonly statuses: readonly number[];
  /** Where to query the type of the status, if it is not known. */
  readonly statusAt: readonly Place[];
  readonly data: readonly Place[];
  readonly calls: readonly Place[];
  /** The locations of alternatives. One of them is sent. */
  readonly choices: readonly Place[];
  /** How the data was built. */
  readonly built?: BuiltData | undefined;
  readonly headers: readonly string[];
  /** The content types, if the response names them. */
  readonly types: readonly string[];
  /** Where to query the type of the content type, if it is not known. */
  readonly typeAt: readonly Place[];
}

export interface QueryFacts {
  readonly in: "query" | "path";
  readonly place: Place;
  readonly validators: readonly Place[];
  /** Whether invalid values cause a 400. */
  readonly refuses: "always" | "if validator" | "never";
  /** Whether requests without the required parameters are rejected. */
  readonly isRequired: boolean;
  /** Whether access may be denied because of it. */
  readonly isSecret: boolean;
}

export interface ErrorFacts {
  readonly place: Place;
  readonly statuses: readonly number[];
  readonly message: string | undefined;
}

/** Whether a 401 or 403 depends on values of the body or the query, so that these are secrets. */
export function decidesAccess({ isBodySecret, queries }: HandlerFacts): boolean {
  return isBodySecret || queries.some(({ isSecret }) => isSecret);
}

export function createHandlerFacts(found: FoundHandler, { effects, returns }: Summary): HandlerFacts {
  const { handler, expression } = found;
  const responses = effects.responses.map(toResponseFacts);
  const { name, directives } = found.describe(successPlaces(responses));
  const returnsHidden = membersOf(returns).some(({ kind }) => kind === "opaque");
  const givesEvent = effects.problems.some(({ code }) => code === "EVENT_OUT_OF_SIGHT");
  const { node, file } = handler;
  return {
    name,
    place: { file: file.path, start: node.start, end: node.end },
    ...(expression && expression.start !== node.start && { expression }),
    isHidden: returnsHidden || givesEvent,
    returnsHidden: returnsHidden && givesEvent,
    directives,
    reads: mergeReads(effects.reads),
    bodies: effects.bodies.map(({ place, by, form, named, isCaught, schema, types, ...body }) => ({
      place,
      by,
      form,
      named,
      // A body that decides about access is required.
      isRequired: body.isRequired && (!body.isServedWithout || body.guardsAccess),
      isCaught,
      schema: schema?.places[0],
      types: types.map(({ kind, place: at }) => ({ kind, place: at })),
    })),
    isBodySecret: effects.bodies.some(({ guardsAccess }) => guardsAccess),
    responses,
    errors: effects.throws
      .filter(({ error }) => error !== thrownBehind && error !== malformedBody)
      .map(({ error, place }) => ({
        place,
        statuses: numbersIn(error.status),
        message: error.message,
      })),
    queries: effects.queries.map(({ in: source, place, candidates, refuses, isRequired, ...query }) => ({
      in: source,
      place,
      validators: candidates.flatMap(({ places }) => places),
      refuses: query.isCaught ? "never" : refuses,
      isRequired,
      isSecret: query.guardsAccess,
    })),
    uncheckedParses: effects.throws.filter(({ error }) => error === malformedBody).map(({ place }) => place),
    problems: effects.problems,
  };
}

function successPlaces(responses: readonly ResponseFacts[]): Place[] {
  const isSuccess = ({ statuses }: ResponseFacts) =>
    statuses.length === 0 || statuses.some((status) => status < 400);
  return responses.filter(isSuccess).flatMap(({ place, calls }) => [place, ...calls]);
}

function toResponseFacts(response: ResponseMade): ResponseFacts {
  const { place, form, status, statusAt, data, calls, type, typeAt, choices = [], built, headers } = response;
  const statuses = numbersIn(status).filter(isStatus);
  const types = type ? (shownLiteralsOf(type) ?? []).filter((each) => typeof each === "string") : [];
  return {
    place,
    form,
    statuses,
    statusAt: statuses.length > 0 ? [] : (statusAt?.places ?? []),
    data: data?.places ?? [],
    calls,
    choices,
    ...(built && { built }),
    headers,
    types,
    typeAt: types.length > 0 ? [] : (typeAt?.places ?? []),
  };
}

function numbersIn(value: Value): number[] {
  // A table of statuses may have no entry for a key.
  const values = (literalsOf(value) ?? []).filter((each) => each !== undefined);
  return values.every((each) => typeof each === "number") ? (values as number[]) : [];
}

/** A variable may have another value before it has a status. */
const isStatus = (value: number) => Number.isInteger(value) && value >= 100 && value <= 599;
