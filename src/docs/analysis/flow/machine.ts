import type { Expression, Node, Statement } from "oxc-parser";
import type { Diagnostic } from "../../openapi/facts.ts";
import type { Place } from "../source/source-file.ts";
import type { SourceFiles } from "../source/source-files.ts";
import type { Condition } from "./condition.ts";
import { type Effects, noEffects, type OpenChoice, type Thrown } from "./effects.ts";
import type { BodyRead, Read } from "./reads.ts";
import type { Argument, ClassValue, Env, Holder, LiteralValue, ReadValue, Value } from "./value.ts";

export type { Argument };

/** One function while it is followed. */
export interface Frame extends Holder {
  readonly caller: Frame | undefined;
  readonly effects: Effects;
  readonly returned: Value[];
  readonly self: Value | undefined;
  /** The class whose constructor or method it is, for `super`. */
  readonly home: ClassValue | undefined;
  /** How many undecided conditions stand around the present place; ways out that lie behind it count as well. */
  conditions: number;
  /** How many `try` blocks stand around it, whose end may not be reached. */
  uncertain: number;
  /** It makes what belongs to a module. */
  readonly isShared: boolean;
  /** What a promise rejects with that is returned without being awaited: no `catch` around it sees that. */
  readonly escaped: Thrown[];
  /** How often it may have been left by now with the request served. */
  exits: number;
  /** Set by a call from which nothing comes back. */
  isCutOff: boolean;
  /** Conditions that let some requests through, and what becomes of the others is not known yet. */
  readonly choices: OpenChoice[];
  /** The same for bodies. */
  readonly gates: (readonly BodyRead[])[];
  /** Conditions under which a request is served and the function left, and how many conditions stood around each. */
  readonly served: ServedChoice[];
  /** What it returns for requests without a parameter. */
  readonly fallbacks: { readonly missing: readonly ReadValue[]; readonly value: LiteralValue }[];
  /** The parameters that are known to have been sent where the present place is reached, once for each condition. */
  readonly presence: Read[];
  /** The bodies that decide whether the present place is reached. */
  control: readonly BodyRead[];
}

export interface ServedChoice {
  readonly condition: Condition;
  readonly conditions: number;
  /** How often the function may have been left before the condition, and after it. */
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
  /** Set when the very thing is thrown again. */
  isRethrown: boolean;
  /** Classes of which nothing is thrown again. */
  readonly handled: Value[];
}

/** Where a call is made. */
export interface Site {
  readonly node: Node;
  readonly env: Env;
  readonly frame: Frame;
  /** What a method is called on. */
  readonly receiver?: Value | undefined;
}

/** How a statement ends: it goes on, leaves a loop, returns, or throws. */
export type Ending = "goes on" | "breaks" | "returns" | "throws";

/** What the parts of the interpreter ask of each other. */
export interface Machine {
  readonly files: SourceFiles;
  /** The errors that `catch` clauses hold at present. */
  readonly caught: Map<Value, Caught>;
  /** Whether the function that was called last gives a promise. */
  readonly gavePromise: boolean;
  /** Says that something made then has been changed. */
  touch(born: number): void;
  evaluate(node: Expression, env: Env, frame: Frame): Value;
  run(statements: readonly Statement[], env: Env, frame: Frame): Ending;
  call(callee: Value, args: readonly Argument[], site: Site): Value;
  /** Follows a function whose caller cannot be seen, which may or may not call it. */
  callLater(callee: Value, args: readonly Value[], site: Site, throwsBack: boolean): Value;
  construct(of: Value, args: readonly Argument[], site: Site): Value;
  property(of: Value, name: string, site: Site): Value;
  /** The value that a type annotation promises: an instance, when it names a class. */
  instanceOf(type: Node | null | undefined, env: Env): Value;
  /** What `super.name` is. */
  inherited(name: string, frame: Frame): Value;
  exported(path: string, name: string): Value;
  /** The same; `undefined` if the module is known not to export it, or is not followed. */
  findExported(path: string, name: string): Value | undefined;
  /** The method of the route whose handler is followed. */
  readonly method: string | undefined;
  /** Notes that the outcome of the functions under way depends on the method. */
  useMethod(): void;
  placeOf(node: Node, env: Env): Place;
  report(problem: Omit<Diagnostic, "file" | "line">, site: Site): void;
}
