import type { Expression, Node, Statement } from "oxc-parser";
import type { Diagnostic } from "../../model/facts.ts";
import type { Place } from "../source/source-file.ts";
import type { SourceFiles } from "../source/source-files.ts";
import type { Condition } from "./values/condition.ts";
import { type Effects, noEffects, type OpenChoice, type Thrown } from "./values/effects.ts";
import type { GuardedInput, Read } from "./values/reads.ts";
import type { Argument, ClassValue, Env, Holder, LiteralValue, ReadValue, Value } from "./values/value.ts";

export type { Argument };

/** The state of a function during the analysis. */
export interface Frame extends Holder {
  readonly caller: Frame | undefined;
  readonly effects: Effects;
  readonly returned: Value[];
  readonly self: Value | undefined;
  /** The class of the constructor or method, for `super`. */
  readonly home: ClassValue | undefined;
  /** The number of enclosing undecided conditions, including earlier exits. */
  conditions: number;
  /** The number of enclosing `try` blocks, which may end early. */
  uncertain: number;
  /** Whether it creates values of a module. */
  readonly isShared: boolean;
  /** Rejections of promises that are returned without `await`, which no enclosing `catch` handles. */
  readonly escaped: Thrown[];
  /** The number of possible exits so far that accept the request. */
  exits: number;
  /** Set by a call that never returns. */
  isCutOff: boolean;
  /** Conditions that accept some requests. The following code decides about the others. */
  readonly choices: OpenChoice[];
  /** The same for bodies. */
  readonly gates: (readonly GuardedInput[])[];
  /**
   * Conditions under which a request is accepted and the function returns, with the number of conditions around each.
   */
  readonly served: ServedChoice[];
  /** The return values for requests without a parameter. */
  readonly fallbacks: { readonly missing: readonly ReadValue[]; readonly value: LiteralValue }[];
  /** The parameters known to have been sent at the current location, once for each condition. */
  readonly presence: Read[];
  /** The bodies that decide whether the current location is reached. */
  control: readonly GuardedInput[];
}

export interface ServedChoice {
  readonly condition: Condition;
  readonly conditions: number;
  /** The number of possible exits before the condition and after it. */
  readonly exits: { readonly before: number; readonly after: number };
}

export function createFrame(parts: Partial<Frame> = {}): Frame {
  return {
    caller: undefined,
    effects: noEffects(),
    returned: [],
    self: undefined,
    home: undefined,
    conditions: 0,
    uncertain: 0,
    escaped: [],
    isShared: false,
    exits: 0,
    isCutOff: false,
    choices: [],
    gates: [],
    presence: [],
    served: [],
    fallbacks: [],
    control: [],
    ...parts,
  };
}

export interface Caught {
  /** Set if the error itself is thrown again. */
  isRethrown: boolean;
  /** Classes of errors that are not rethrown. */
  readonly handled: Value[];
}

/** The location of a call. */
export interface Site {
  readonly node: Node;
  readonly env: Env;
  readonly frame: Frame;
  /** The object that a method is called on. */
  readonly receiver?: Value | undefined;
}

/** How a statement ends: execution continues, leaves a loop, returns or throws. */
export type Ending = "goes on" | "breaks" | "returns" | "throws";

/** The interface between the parts of the interpreter. */
export interface InterpreterContext {
  readonly files: SourceFiles;
  /** The errors of the active `catch` clauses. */
  readonly caught: Map<Value, Caught>;
  /** Whether the function called last returns a promise. */
  readonly gavePromise: boolean;
  /** Reports a change to an object that was created at that time. */
  touch(createdIn: number): void;
  evaluate(node: Expression, env: Env, frame: Frame): Value;
  run(statements: readonly Statement[], env: Env, frame: Frame): Ending;
  call(callee: Value, args: readonly Argument[], site: Site): Value;
  /** Follows a callback whose caller is not visible. It may or may not be called. */
  callLater(callee: Value, args: readonly Value[], site: Site, throwsBack: boolean): Value;
  construct(of: Value, args: readonly Argument[], site: Site): Value;
  property(of: Value, name: string, site: Site): Value;
  /** The value that a type annotation describes: an instance, if it names a class. */
  instanceOf(type: Node | null | undefined, env: Env): Value;
  /** The value of `super.name`. */
  inherited(name: string, frame: Frame): Value;
  exported(path: string, name: string): Value;
  /** The same; `undefined` if the module does not export it or is not followed. */
  findExported(path: string, name: string): Value | undefined;
  /** The method of the current route. */
  readonly method: string | undefined;
  /** Records that the results of the active functions depend on the method. */
  useMethod(): void;
  placeOf(node: Node, env: Env): Place;
  report(problem: Omit<Diagnostic, "file" | "line">, site: Site): void;
}
