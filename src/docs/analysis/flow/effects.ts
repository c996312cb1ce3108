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
  /** The content type of `bytes` and `stream`. */
  readonly type?: Value | undefined;
  /** The calls that led here, the innermost first: their types tell what a generic function answered. */
  readonly calls: readonly Place[];
}

export interface Thrown {
  readonly error: ErrorValue;
  readonly place: Place;
}

/** Stands, in middleware, for whatever the functions behind it throw. */
export const thrownBehind: ErrorValue = {
  kind: "error",
  status: { kind: "opaque" },
  message: undefined,
  classes: [],
  made: { file: "", start: 0, end: 0 },
};
