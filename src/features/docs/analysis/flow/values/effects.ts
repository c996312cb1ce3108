import type { Diagnostic } from "../../../model/facts.ts";
import type { Place } from "../../source/source-file.ts";
import type { BodyRead, GuardedInput, Origin, Read } from "./reads.ts";
import type { ErrorValue, Value } from "./value.ts";

/** The effects of a function that are relevant to its documentation. */
export interface Effects {
  readonly reads: Read[];
  readonly bodies: BodyRead[];
  /** The bodies behind every evaluated value, in order. */
  readonly uses: GuardedInput[];
  readonly responses: ResponseMade[];
  readonly throws: Thrown[];
  readonly problems: Diagnostic[];
  /** The response headers set so far. */
  readonly headers: string[];
  /** The validators that receive all query parameters. */
  readonly queries: QueryRead[];
  /** Whether it calls the functions after it. */
  passesOn: boolean;
}

export const noEffects = (): Effects => ({
  reads: [],
  bodies: [],
  uses: [],
  responses: [],
  throws: [],
  problems: [],
  headers: [],
  queries: [],
  passesOn: false,
});

/** A position in a function's effects. */
export interface EffectMark {
  readonly responses: number;
  readonly throws: number;
}

export const markEffects = ({ responses, throws }: Effects): EffectMark => ({
  responses: responses.length,
  throws: throws.length,
});

/** Parameters for which some requests were accepted. The following code decides whether the others are rejected. */
export interface OpenChoice {
  readonly reads: readonly Read[];
  readonly since: EffectMark;
}

export interface ResponseMade {
  readonly place: Place;
  readonly status: Value;
  /** Where the status is written. */
  readonly statusAt?: Origin | undefined;
  readonly form: "json" | "text" | "html" | "bytes" | "stream" | "events" | "none" | "redirect" | "open";
  /** Where the data of `json` is written. */
  readonly data?: Origin | undefined;
  /** The locations of the data in `cond ? a : b`. The compiler may reduce their types to one. */
  readonly choices?: readonly Place[] | undefined;
  /** How the data was built, if its type is less precise. */
  readonly built?: BuiltData | undefined;
  /** The headers set before. */
  readonly headers: readonly string[];
  /** The content type of `bytes` and `stream`. */
  readonly type?: Value | undefined;
  /** Where the content type is written. */
  readonly typeAt?: Origin | undefined;
  /** The calls that led here, the innermost first. Their types show what a generic function sends. */
  readonly calls: readonly Place[];
}

/** An object or a list that a function builds step by step, and that nothing else changes. */
export interface BuiltData {
  /** The object literal that it starts with. */
  readonly initial?: Place | undefined;
  readonly isList: boolean;
  /** Whether it starts with unset items: `new Array(3)`. */
  readonly hasHoles: boolean;
  readonly parts: readonly BuiltPart[];
}

/** A value added to the data. */
export interface BuiltPart {
  /** The key, if it is a literal. */
  readonly name?: string | undefined;
  readonly place: Place;
  /** Whether it is always added before the response is sent. */
  readonly isCertain: boolean;
  /** Whether it is appended to a list. */
  readonly isPushed?: boolean | undefined;
}

/**
 * All query parameters together, passed to a possible validator: `Page.parse(Object.fromEntries(query))`. Or all path
 * values: `e.bindPath(Id)`.
 */
export interface QueryRead extends GuardedInput {
  readonly in: "query" | "path";
  /** The possible validators. */
  readonly candidates: readonly Origin[];
  /**
   * Whether an invalid value causes a 400: `e.bindQuery` always refuses it, and a method named `parse` does if it belongs
   * to a validator.
   */
  readonly refuses: "always" | "if validator" | "never";
  /** Whether requests without the required parameters are rejected. */
  isRequired: boolean;
  /** Whether its errors are caught and handled. */
  isCaught: boolean;
}

export interface Thrown {
  readonly error: ErrorValue;
  readonly place: Place;
  /** Whether it is the rejection of a promise, at any later time. */
  readonly isRejection?: boolean | undefined;
  /** In middleware: the classes of errors that it catches. */
  readonly handled?: readonly Value[] | undefined;
}

/** The error of `JSON.parse` for a malformed body. It becomes a 500, unless it is caught. */
export const malformedBody: ErrorValue = {
  kind: "error",
  status: { kind: "literal", value: 500 },
  message: undefined,
  classes: [],
  made: { file: "", start: 1, end: 1 },
};

/** In middleware: a placeholder for all errors of the functions after it. */
export const thrownBehind: ErrorValue = {
  kind: "error",
  status: { kind: "opaque" },
  message: undefined,
  classes: [],
  made: { file: "", start: 0, end: 0 },
};
