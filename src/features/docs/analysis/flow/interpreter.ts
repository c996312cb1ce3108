import type { Class, Expression, Node, Statement } from "oxc-parser";
import { isInPackage } from "../../../../lib/paths/paths.ts";
import type { Diagnostic } from "../../model/facts.ts";
import { type Place, placeOf, type SourceFile } from "../source/source-file.ts";
import type { SourceFiles } from "../source/source-files.ts";
import { functionsIn } from "./calls.ts";
import { baseOf, constructClass, fillByTypes, findMember } from "./classes.ts";
import { callNative } from "./expressions/natives.ts";
import { callUnknown, computedFrom } from "./expressions/unresolved-calls.ts";
import { evaluateExpression } from "./expressions.ts";
import { runFunction } from "./functions.ts";
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
import { findProperty } from "./properties.ts";
import { noteBodies } from "./request/body-uses.ts";
import { createError } from "./request/error-values.ts";
import { callPart } from "./request/request-parts.ts";
import { runStatements } from "./statements/statements.ts";
import { applySummary, type Summary } from "./summaries.ts";
import { Summarizer } from "./summarizer.ts";
import { membersOf, union } from "./values/alternatives.ts";
import { Scope } from "./values/env.ts";
import { conceal, concealProperty } from "./values/secrets.ts";
import {
  type ClassValue,
  createInstance,
  type Env,
  type FunctionValue,
  type InstanceValue,
  requestParts,
  unknown,
  type Value,
} from "./values/value.ts";

/** More steps than any handler needs. Beyond this limit, the analysis of the handler ends. */
const maxSteps = 2_000_000;

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

export class TooLarge extends Error {}

/**
 * Follows handlers through the source: every function once for each set of arguments, both branches of every undecided
 * condition, and each loop once. No code is executed.
 */
export class Interpreter implements InterpreterContext {
  readonly files: SourceFiles;
  private readonly modules: Modules;
  private readonly isAnnex: (path: string) => boolean;
  private readonly instances = new Map<Class, InstanceValue>();
  private readonly summarizer = new Summarizer();
  readonly caught = new Map<Value, Caught>();
  gavePromise = false;
  private steps = 0;

  constructor(files: SourceFiles, isAnnex: (path: string) => boolean) {
    this.files = files;
    this.isAnnex = isAnnex;
    this.modules = new Modules(this);
  }

  /** Analyzes a handler for a request with the given method. */
  follow(handler: FunctionValue, method?: string): Summary {
    this.summarizer.begin(method);
    this.steps = 0;
    this.caught.clear();
    const event: Argument = { value: { kind: "event" }, origin: { places: [] } };
    return this.summarize(handler, [...(handler.bound ?? []), event], undefined);
  }

  get method(): string | undefined {
    return this.summarizer.method;
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
    this.summarizer.forget();
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
    return concealProperty(of, name, findProperty(this, of, name, site));
  }

  inherited(name: string, frame: Frame): Value {
    const { self, home } = frame;
    const site = home && { node: home.node, env: home.env, frame };
    return site && self ? findMember(this, baseOf(this, home), name, self, site) : unknown;
  }

  useMethod(): void {
    this.summarizer.useMethod();
  }

  touch(createdIn: number): void {
    this.summarizer.touch(createdIn);
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

  private summarize(callee: FunctionValue, args: readonly Argument[], caller: Frame | undefined): Summary {
    return this.summarizer.summarize(callee, args, (given) => runFunction(this, callee, given, caller));
  }
}
