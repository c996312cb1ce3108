import type { Diagnostic } from "../../openapi/facts.ts";
import type { Place } from "../source/source-file.ts";
import type { BodyRead, Origin, Read } from "./reads.ts";
import type { ErrorValue, Value } from "./value.ts";

/** What a function does with a request, as far as its documentation wants to know. */
export interface Effects {
  readonly reads: Read[];
  readonly bodies: BodyRead[];
  /** The bodies behind every value that was evaluated, in order. */
  readonly uses: BodyRead[];
  readonly answers: AnswerMade[];
  readonly throws: Thrown[];
  readonly problems: Diagnostic[];
  /** The response headers that have been set so far. */
  readonly headers: string[];
  /** The validators that all query parameters were given to. */
  readonly queries: QueryRead[];
  /** It lets the functions behind it run. */
  passesOn: boolean;
}

export const noEffects = (): Effects => ({
  reads: [],
  bodies: [],
  uses: [],
  answers: [],
  throws: [],
  problems: [],
  headers: [],
  queries: [],
  passesOn: false,
});

/** How much of a function's effects there was at some point. */
export interface EffectMark {
  readonly answers: number;
  readonly throws: number;
}

export const markEffects = ({ answers, throws }: Effects): EffectMark => ({
  answers: answers.length,
  throws: throws.length,
});

/** Parameters that some requests were served for. Whether the others are refused is decided by what follows. */
export interface OpenChoice {
  readonly reads: readonly Read[];
  readonly since: EffectMark;
}

export interface AnswerMade {
  readonly place: Place;
  readonly status: Value;
  /** Where the status was written. */
  readonly statusAt?: Origin | undefined;
  readonly form: "json" | "text" | "html" | "bytes" | "stream" | "none" | "redirect" | "open";
  /** Where the data of `json` was written. */
  readonly data?: Origin | undefined;
  /** The data of `cond ? a : b`, each where it was written. The compiler may reduce their types to one. */
  readonly choices?: readonly Place[] | undefined;
  /** How the data was built, if its type tells less. */
  readonly built?: BuiltData | undefined;
  /** The headers that were set before. */
  readonly headers: readonly string[];
  /** The content type of `bytes` and `stream`. */
  readonly type?: Value | undefined;
  /** The calls that led here, the innermost first: their types tell what a generic function answered. */
  readonly calls: readonly Place[];
}

/** An object or a list that a function builds step by step, and that nothing else changes. */
export interface BuiltData {
  /** The object literal that it begins as. */
  readonly initial?: Place | undefined;
  readonly isList: boolean;
  /** It begins with items that were not set: `new Array(3)`. */
  readonly hasHoles: boolean;
  readonly parts: readonly BuiltPart[];
}

/** A value that is put into it. */
export interface BuiltPart {
  /** The key, if it is written in the source. */
  readonly name?: string | undefined;
  readonly place: Place;
  /** It is always put in before the response is sent. */
  readonly isCertain: boolean;
  /** It is put behind the last item of a list. */
  readonly isPushed?: boolean | undefined;
}

/** All query parameters at once, given to something that may be a validator: `Page.parse(Object.fromEntries(query))`. */
export interface QueryRead {
  readonly place: Place;
  /** What may be the validator. */
  readonly candidates: readonly Origin[];
}

export interface Thrown {
  readonly error: ErrorValue;
  readonly place: Place;
  /** A promise is rejected with it, whenever that happens. */
  readonly isRejection?: boolean | undefined;
  /** In middleware, the classes of errors that it does not let through. */
  readonly handled?: readonly Value[] | undefined;
}

/** What `JSON.parse` throws when a body is malformed. It becomes a 500, unless it is caught. */
export const malformedBody: ErrorValue = {
  kind: "error",
  status: { kind: "literal", value: 500 },
  message: undefined,
  classes: [],
  made: { file: "", start: 1, end: 1 },
};

/** Stands, in middleware, for whatever the functions behind it throw. */
export const thrownBehind: ErrorValue = {
  kind: "error",
  status: { kind: "opaque" },
  message: undefined,
  classes: [],
  made: { file: "", start: 0, end: 0 },
};
