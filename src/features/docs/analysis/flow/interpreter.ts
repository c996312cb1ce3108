import type { Class, Expression, Node, Statement } from "oxc-parser";
import { isInPackage } from "../../../../lib/paths/paths.ts";
import type { Diagnostic } from "../../model/facts.ts";
import { type Place, placeOf, type SourceFile } from "../source/source-file.ts";
import type { SourceFiles } from "../source/source-files.ts";
import { functionsIn } from "./calls.ts";
import {
  baseOf,
  constructClass,
  fillByTypes,
  findMember,
  instanceProperty,
  staticProperty,
} from "./classes.ts";
import { arrayMethods } from "./expressions/arrays.ts";
import { callNative } from "./expressions/natives.ts";
import { declarePattern } from "./expressions/patterns.ts";
import { callUnknown, computedFrom } from "./expressions/unresolved-calls.ts";
import { evaluateExpression } from "./expressions.ts";
import {
  type Argument,
  type Caught,
  createFrame,
  type Ending,
  type Frame,
  type InterpreterContext,
  type Site,
} from "./interpreter-context.ts";
import { Modules } from "./modules.ts";
import { bodiesBehind, noteBodies, opaqueOf } from "./request/body-uses.ts";
import { createError } from "./request/error-values.ts";
import { callPart, partProperty } from "./request/request-parts.ts";
import { runStatements } from "./statements/statements.ts";
import { applySummary, compact, type Summary } from "./summaries.ts";
import { noEffects } from "./values/effects.ts";
import { Scope } from "./values/env.ts";
import { applyDefault, isSameRead, orNothing } from "./values/read-uses.ts";
import { conceal, concealProperty } from "./values/secrets.ts";
import {
  type ArrayValue,
  bodiesKey,
  type ClassValue,
  createArray,
  createInstance,
  creationEpoch,
  type Env,
  type FunctionValue,
  type InstanceValue,
  instanceOr,
  isPlain,
  keyOf,
  literal,
  loosenItem,
  membersOf,
  type ObjectValue,
  type ReadValue,
  type RequestPart,
  requestParts,
  undefinedValue,
  union,
  unknown,
  type Value,
  widen,
} from "./values/value.ts";

/** More steps than any handler needs. Beyond this limit, the analysis of the handler ends. */
const maxSteps = 2_000_000;
const maxDepth = 200;

/** The declared return type of a function, or the type that its promise resolves with. */
function returnedType({ returnType }: FunctionValue["node"]): Node | undefined {
  const type = returnType?.typeAnnotation;
  const isPromise =
    type?.type === "TSTypeReference" &&
    type.typeName.type === "Identifier" &&
    type.typeName.name === "Promise";
  return isPromise ? type.typeArguments?.params[0] : (type ?? undefined);
}

/** `q.length`: a value with a length is a string or a list. */
function lengthOf(of: ReadValue, name: string): Value {
  if (of.form !== "text" || name !== "length" || of.read.isList) return unknown;
  of.read.isText = true;
  return { ...of, form: "length" };
}

/** The return values of a function. A constant returned for a missing parameter is the default of that parameter. */
function withDefaults({ returned, fallbacks }: Frame): readonly Value[] {
  return fallbacks.reduce<readonly Value[]>((values, { missing, value }) => {
    const others = values.filter((each) => each !== value);
    const isNothing = value.value === undefined || value.value === null;
    const [only, another] = others;
    const whole = isNothing && only && !another ? orNothing(only, value, missing) : undefined;
    if (whole) return [whole];
    if (isNothing || others.length === values.length) return values;
    const readIn = (each: Value) =>
      each.kind === "opaque" && each.from?.length === 1 ? each.from[0]! : each;
    const isOf = (each: Value): each is ReadValue =>
      each.kind === "read" && missing.some((read) => isSameRead(read, each));
    if (!others.some((each) => isOf(readIn(each)))) return values;
    // Values computed from the parameter have the same default.
    return others.map((each) => {
      const read = readIn(each);
      const withDefault = isOf(read) ? applyDefault(read, value) : each;
      return isOf(each) ? withDefault : each;
    });
  }, returned);
}

/** `function assertOrder(body: unknown): asserts body is Order` provides the type of a body passed to it. */
function noteAsserted({ node, file }: FunctionValue, args: readonly Argument[]): void {
  const type = node.returnType?.typeAnnotation;
  if (type?.type !== "TSTypePredicate" || !type.typeAnnotation || type.parameterName.type !== "Identifier")
    return;
  const { name } = type.parameterName;
  const index = node.params.findIndex((each) => each.type === "Identifier" && each.name === name);
  const value = args[index]?.value;
  const place = placeOf(file, type.typeAnnotation.typeAnnotation);
  if (value?.kind === "body" && !value.isText) value.body.types.push({ kind: "type", place });
}

/** How many levels of recursion with different constants are followed separately. */
const maxNesting = 4;

/** Constants that differ between recursive calls are unknown in the next call. */
function widenArguments(args: readonly Argument[], before: readonly Argument[]): Argument[] {
  return args.map((argument, index) => {
    const isOther = keyOf(argument.value) !== keyOf(before[index]?.value ?? unknown);
    return isOther && argument.value.kind === "literal" ? { ...argument, value: unknown } : argument;
  });
}

export class TooLarge extends Error {}

/**
 * The summary of a function in a recursive cycle whose outer function is not finished. The outer function includes all
 * effects, because they occur inside it.
 */
interface Draft {
  readonly summary: Summary;
  readonly depth: number;
  readonly unfinished: number;
}

/**
 * Follows handlers through the source: every function once for each set of arguments, both branches of every undecided
 * condition, and each loop once. No code is executed.
 */
export class Interpreter implements InterpreterContext {
  readonly files: SourceFiles;
  private readonly modules: Modules;
  private readonly isAnnex: (path: string) => boolean;
  private readonly summaries = new Map<string, Summary>();
  private readonly instances = new Map<Class, InstanceValue>();
  private readonly drafts = new Map<string, Draft>();
  readonly caught = new Map<Value, Caught>();
  gavePromise = false;
  /** The oldest object changed since the current function started. */
  private touched = Number.POSITIVE_INFINITY;
  /** The active functions with their depths. */
  private readonly active = new Map<string, number>();
  /** The arguments of each active function, once per nested call. */
  private readonly nesting = new Map<FunctionValue["node"], readonly (readonly Argument[])[]>();
  /** The outermost active function whose unfinished summary was used. Summaries inside it must not be cached. */
  private unfinished = Number.POSITIVE_INFINITY;
  private steps = 0;
  method: string | undefined;
  /** Whether the effects of the current function depend on the method. */
  private usesMethod = false;

  constructor(files: SourceFiles, isAnnex: (path: string) => boolean) {
    this.files = files;
    this.isAnnex = isAnnex;
    this.modules = new Modules(this);
  }

  /** Analyzes a handler for a request with the given method. */
  follow(handler: FunctionValue, method?: string): Summary {
    this.method = method;
    this.steps = 0;
    this.active.clear();
    this.nesting.clear();
    this.drafts.clear();
    this.caught.clear();
    this.unfinished = Number.POSITIVE_INFINITY;
    const event: Argument = { value: { kind: "event" }, origin: { places: [] } };
    return this.summarize(handler, [...(handler.bound ?? []), event], undefined);
  }

  scopeOf(file: SourceFile): Env {
    return this.modules.scopeOf(file);
  }

  /** An inner scope, whose names are evaluated on first use. */
  innerScope(statements: readonly Statement[], outer: Env): Env {
    const env = new Scope(outer.file, outer);
    this.modules.declareAll(statements, env);
    return env;
  }

  forget(): void {
    this.summaries.clear();
    this.drafts.clear();
    this.instances.clear();
    this.modules.forget();
  }

  evaluate(node: Expression, env: Env, frame: Frame): Value {
    if (++this.steps > maxSteps) throw new TooLarge();
    const value = evaluateExpression(this, node, env, frame);
    noteBodies(value, frame.effects);
    return value;
  }

  run(statements: readonly Statement[], env: Env, frame: Frame): Ending {
    if (++this.steps > maxSteps) throw new TooLarge();
    return runStatements(this, statements, env, frame);
  }

  call(callee: Value, args: readonly Argument[], site: Site): Value {
    this.gavePromise = false;
    switch (callee.kind) {
      case "function":
        return this.callFunction(callee, args, site);
      case "method":
        return callPart(this, callee.of, callee.name, args, site);
      case "native":
        return callNative(this, callee.name, callee.receiver, args, site);
      case "union":
        return this.callEach(callee.values, args, site);
      case "annex":
        return unknown;
      default: {
        const { receiver, name } = this.nameOf(site);
        return callUnknown(this, name, receiver, args, site);
      }
    }
  }

  callLater(callee: Value, args: readonly Value[], site: Site, throwsBack: boolean): Value {
    if (callee.kind !== "function") return unknown;
    const { frame } = site;
    const thrown = frame.effects.throws.length;
    frame.conditions++;
    // Other arguments are unknown.
    const count = Math.max(args.length, callee.node.params.length);
    const given = Array.from({ length: count }, (_, index) => ({
      value: args[index] ?? unknown,
      origin: { places: [] },
    }));
    const value = this.callFunction(callee, given, site);
    frame.conditions--;
    frame.isCutOff = false;
    if (!throwsBack) {
      const later = frame.effects.throws.splice(thrown);
      frame.effects.throws.push(...later.filter(({ isRejection }) => isRejection));
    }
    return value;
  }

  construct(of: Value, args: readonly Argument[], site: Site): Value {
    const first = args[0]?.value ?? unknown;
    if (of.kind === "class") return constructClass(this, of, args, site);
    if (of.kind === "annex" && of.name === "ApiError") return createError(this, args, site);
    const has = (...kinds: Value["kind"][]) => membersOf(first).some(({ kind }) => kinds.includes(kind));
    if (of.kind === "native" && of.name === "URL") return has("text", "url") ? { kind: "url" } : unknown;
    if (of.kind === "native" && of.name === "URLSearchParams")
      return has("text", "search") ? { kind: "search" } : unknown;
    if (of.kind === "native" && of.name === "Set") return first.kind === "array" ? first : unknown;
    if (of.kind === "native" && of.name === "Promise")
      return this.callLater(first, [unknown, { kind: "native", name: "Promise.reject" }], site, true);
    if (of.kind === "opaque") return callUnknown(this, "new", undefined, args, site);
    return unknown;
  }

  property(of: Value, name: string, site: Site): Value {
    return concealProperty(of, name, this.findProperty(of, name, site));
  }

  private findProperty(of: Value, name: string, site: Site): Value {
    switch (of.kind) {
      case "object":
        return this.propertyOf(of, name, site);
      case "array":
        if (/^\d+$/.test(name)) return this.itemOf(of, Number(name));
        return arrayMethods.has(name) ? { kind: "native", name: `[].${name}`, receiver: of } : unknown;
      case "instance":
        return instanceProperty(this, of, name, site);
      case "class":
        return staticProperty(this, of, name);
      case "module":
        return this.exported(of.path, name);
      case "regex":
        return name === "test" || name === "exec"
          ? { kind: "native", name: "regex.test", receiver: of }
          : unknown;
      case "native":
        return { kind: "native", name: `${of.name}.${name}` };
      case "union":
        return union(of.values.map((value) => this.property(value, name, site)));
      case "function":
      case "method":
        return /^(bind|call|apply)$/.test(name) ? { kind: "native", name, receiver: of } : unknown;
      case "body":
      case "opaque":
        return opaqueOf(bodiesBehind(of));
      case "read":
        return lengthOf(of, name);
      case "literal":
      case "sent":
      case "error":
      case "annex":
        return unknown;
      default:
        return partProperty(this, of.kind as RequestPart, name, site);
    }
  }

  inherited(name: string, frame: Frame): Value {
    const { self, home } = frame;
    const site = home && { node: home.node, env: home.env, frame };
    return site && self ? findMember(this, baseOf(this, home), name, self, site) : unknown;
  }

  useMethod(): void {
    this.usesMethod = true;
  }

  touch(createdIn: number): void {
    this.touched = Math.min(this.touched, createdIn);
  }

  exported(path: string, name: string): Value {
    return this.findExported(path, name) ?? unknown;
  }

  findExported(path: string, name: string): Value | undefined {
    if (this.isAnnex(path)) return { kind: "annex", name };
    // Packages are not followed. Workspaces are, because they resolve to their real paths.
    return isInPackage(path) ? undefined : this.modules.exported(path, name);
  }

  instanceOf(type: Node | null | undefined, env: Env): Value {
    if (type?.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return unknown;
    const found = env.lookup(type.typeName.name);
    return found?.kind === "class" ? this.anyInstance(found) : unknown;
  }

  /** One shared instance per class, because classes may refer to each other in a cycle. */
  anyInstance(of: ClassValue): InstanceValue {
    const known = this.instances.get(of.node);
    if (known) return known;
    const frame = createFrame({ isShared: true });
    const instance = createInstance(of, frame);
    this.instances.set(of.node, instance);
    fillByTypes(this, instance, frame);
    return instance;
  }

  placeOf(node: Node, env: Env): Place {
    return placeOf(env.file, node);
  }

  report(problem: Omit<Diagnostic, "file" | "line">, { node, env, frame }: Site): void {
    frame.effects.problems.push({ ...problem, file: env.file.path, line: env.file.lineOf(node.start) });
  }

  private propertyOf(of: ObjectValue, name: string, site: Site): Value {
    const found = of.properties.get(name);
    if (found?.kind === "function" && found.isGetter) return this.call(found, [], site);
    if (found) return of.isShared ? widen(found) : found;
    return of.rest ? this.property(of.rest, name, site) : of.isShared ? unknown : undefinedValue;
  }

  private itemOf(of: ArrayValue, index: number): Value {
    const item = of.items[index] ?? (of.isComplete ? undefinedValue : unknown);
    return of.isShared ? loosenItem(item) : item;
  }

  private callEach(callees: readonly Value[], args: readonly Argument[], site: Site): Value {
    const { frame } = site;
    frame.conditions++;
    const results = callees.map((callee) => this.call(callee, args, site));
    frame.conditions--;
    frame.isCutOff = false;
    return union(results);
  }

  private nameOf({ node, env, receiver }: Site): { receiver: Value | undefined; name: string } {
    if (node.type !== "CallExpression") return { receiver: undefined, name: "" };
    const { callee } = node;
    if (callee.type !== "MemberExpression")
      return { receiver: undefined, name: env.file.text.slice(callee.start, callee.end) };
    const name = `.${env.file.text.slice(callee.property.start, callee.property.end)}`;
    const isPart = receiver !== undefined && requestParts.includes(receiver.kind) && receiver.kind !== "raw";
    return { receiver: isPart ? undefined : receiver, name };
  }

  private callFunction(callee: FunctionValue, given: readonly Argument[], site: Site): Value {
    const args = callee.bound ? [...callee.bound, ...given] : given;
    noteAsserted(callee, args);
    const summary = this.summarize(callee, args, site.frame);
    const applied = applySummary(summary, args, this.placeOf(site.node, site.env), site.frame);
    const value = conceal(callee.declared[0]?.name ?? "", computedFrom(args, applied));
    this.gavePromise = callee.node.async;
    // `withTenant(handler)`: comments and directives may be at the inner handler.
    return value.kind === "function" && functionsIn(args).length > 0
      ? { ...value, wraps: [...(value.wraps ?? []), ...functionsIn(args)] }
      : value;
  }

  private summarize(callee: FunctionValue, given: readonly Argument[], caller: Frame | undefined): Summary {
    const outer = this.nesting.get(callee.node) ?? [];
    const args = outer.length > maxNesting ? widenArguments(given, outer.at(-1)!) : given;
    const key = `${keyOf(callee)}(${args.map(({ value, bodies }) => keyOf(value) + bodiesKey(bodies)).join()})`;
    const known = this.summaries.get(key);
    if (known) return known;
    const ofMethod = this.summaries.get(this.keyOfMethod(key));
    if (ofMethod) this.usesMethod = true;
    if (ofMethod) return ofMethod;
    const running = this.active.get(key);
    const draft = this.drafts.get(key);
    if (running !== undefined || draft || this.active.size > maxDepth) {
      this.unfinished = Math.min(this.unfinished, running ?? draft?.unfinished ?? 0);
      return draft?.summary ?? { effects: noEffects(), returns: unknown, comesBack: true };
    }
    const depth = this.active.size;
    const before = this.unfinished;
    const touchedBefore = this.touched;
    const usedMethodBefore = this.usesMethod;
    this.usesMethod = false;
    this.unfinished = Number.POSITIVE_INFINITY;
    this.touched = Number.POSITIVE_INFINITY;
    this.active.set(key, depth);
    this.nesting.set(callee.node, [...outer, args]);
    const birth = ++creationEpoch.now;
    try {
      const summary = compact(this.runFunction(callee, args, caller));
      // A function that changes existing objects, or returns mutable ones, does so on every call, so its summary is not
      // reused.
      const isRepeatable = this.touched >= birth && isPlain(summary.returns);
      if (!isRepeatable) this.drafts.delete(key);
      else if (this.unfinished >= depth) this.finish(key, depth, summary);
      else this.drafts.set(key, { summary, depth, unfinished: this.unfinished });
      return summary;
    } finally {
      this.active.delete(key);
      this.nesting.set(callee.node, outer);
      this.touched = Math.min(touchedBefore, this.touched);
      this.usesMethod ||= usedMethodBefore;
      this.unfinished = Math.min(
        before,
        this.unfinished < depth ? this.unfinished : Number.POSITIVE_INFINITY,
      );
    }
  }

  private keyOfMethod(key: string): string {
    return `${this.method} ${key}`;
  }

  /** Mutually recursive functions are complete when the outermost one is. The drafts of the others are discarded. */
  private finish(key: string, depth: number, summary: Summary): void {
    this.summaries.set(this.usesMethod ? this.keyOfMethod(key) : key, summary);
    for (const [other, draft] of this.drafts) if (draft.depth > depth) this.drafts.delete(other);
  }

  private runFunction(callee: FunctionValue, args: readonly Argument[], caller: Frame | undefined): Summary {
    const { node, file, self } = callee;
    const env = new Scope(file, callee.env);
    const frame = createFrame({ caller, self, home: callee.home });
    // A `this` parameter is a type, not an argument.
    const params = node.params.filter(
      (parameter) => !(parameter.type === "Identifier" && parameter.name === "this"),
    );
    params.forEach((parameter, index) => {
      const rest = parameter.type === "RestElement";
      const given = rest
        ? createArray(args.slice(index).map(({ value }) => value))
        : (args[index]?.value ?? undefinedValue);
      const annotation = "typeAnnotation" in parameter ? parameter.typeAnnotation?.typeAnnotation : undefined;
      const instance = given.kind === "opaque" ? this.instanceOf(annotation, callee.env) : unknown;
      const value = instance.kind === "opaque" ? given : instance;
      declarePattern(this, parameter, value, env, frame, (name, part) => {
        const binding = env.declare(name, part, frame);
        if (parameter.type === "Identifier") binding.argument = index;
        binding.bodies = rest ? args.slice(index).flatMap(({ bodies = [] }) => bodies) : args[index]?.bodies;
      });
    });
    if (!node.body) return { effects: frame.effects, returns: unknown, comesBack: true };
    if (node.type === "ArrowFunctionExpression" && node.expression) {
      const value = this.evaluate(node.body as Expression, env, frame);
      return { effects: frame.effects, returns: value, comesBack: !frame.isCutOff };
    }
    const typed = (value: Value) => instanceOr(this.instanceOf(returnedType(node), callee.env), value);
    const ending = this.run((node.body as { body: Statement[] }).body, env, frame);
    frame.effects.throws.push(...frame.escaped);
    return {
      effects: frame.effects,
      returns:
        frame.returned.length === 0
          ? literal(undefined)
          : union(withDefaults(frame).map((value) => (value.kind === "opaque" ? typed(value) : value))),
      // A function that only throws its own error is often a placeholder and says nothing about its callers.
      comesBack:
        ending !== "throws" ||
        frame.returned.length > 0 ||
        (frame.effects.throws.length === 0 && node.returnType?.typeAnnotation.type !== "TSNeverKeyword"),
    };
  }
}
