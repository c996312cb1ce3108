import type { Class, MethodDefinition, PropertyDefinition } from "oxc-parser";
import { evaluateArguments } from "./calls.ts";
import { declarePattern } from "./expressions/patterns.ts";
import {
  type Argument,
  createFrame,
  type Frame,
  type InterpreterContext,
  type Site,
} from "./interpreter-context.ts";
import { createError } from "./request/error-values.ts";
import { widen } from "./values/alternatives.ts";
import { Scope } from "./values/env.ts";
import {
  type ClassValue,
  createInstance,
  type Env,
  type ErrorValue,
  type FunctionValue,
  type InstanceValue,
  instanceOr,
  undefinedValue,
  unknown,
  type Value,
} from "./values/value.ts";

type Member = Class["body"]["body"][number];

const isMethod = (member: Member): member is MethodDefinition => member.type === "MethodDefinition";
const isField = (member: Member): member is PropertyDefinition => member.type === "PropertyDefinition";

function nameOf(member: Member): string | undefined {
  if (!("key" in member) || ("computed" in member && member.computed)) return undefined;
  const { key } = member;
  if (key.type === "Identifier") return key.name;
  if (key.type === "PrivateIdentifier") return `#${key.name}`;
  return key.type === "Literal" ? String(key.value) : undefined;
}

/** A new instance, with the fields that the constructor shows; or an error, if the class extends `ApiError`. */
export function constructClass(
  machine: InterpreterContext,
  of: ClassValue,
  args: readonly Argument[],
  site: Site,
): Value {
  const error = constructError(machine, of, args, site);
  if (error) return error;
  const instance = createInstance(of, site.frame);
  fillFields(machine, of, instance, args, site);
  return instance;
}

/** Fills an instance if only its class is known. The types of the constructor's parameters provide its arguments. */
export function fillByTypes(machine: InterpreterContext, instance: InstanceValue, frame: Frame): void {
  const { of } = instance;
  fillFields(machine, of, instance, undefined, { node: of.node, env: of.env, frame });
}

function fillFields(
  machine: InterpreterContext,
  of: ClassValue,
  instance: InstanceValue,
  args: readonly Argument[] | undefined,
  site: Site,
): void {
  const base = baseOf(machine, of);
  const { frame: caller } = site;
  // The effects of a constructor belong to the code that creates the instance.
  const frame = createFrame({
    self: instance,
    home: of,
    caller,
    effects: caller.effects,
    isShared: caller.isShared,
  });
  if (base?.kind === "class")
    fillFields(machine, base, instance, superArguments(machine, of, args, site) ?? args, site);
  for (const member of of.node.body.body) {
    const name = nameOf(member);
    if (!isField(member) || member.static || name === undefined || !member.value) continue;
    const value = machine.evaluate(member.value, of.env, frame);
    instance.fields.set(
      name,
      value.kind === "function"
        ? { ...value, declared: [{ file: of.file, start: member.start, name }, ...value.declared] }
        : value,
    );
  }
  const making = constructorOf(of.node);
  if (!making?.value.body) return;
  const env = declareParameters(machine, of, args);
  for (const parameter of making.value.params) {
    if (parameter.type !== "TSParameterProperty" || parameter.parameter.type !== "Identifier") continue;
    const { name, typeAnnotation } = parameter.parameter;
    const value = env.lookup(name) ?? unknown;
    instance.fields.set(
      name,
      value.kind === "opaque"
        ? instanceOr(machine.instanceOf(typeAnnotation?.typeAnnotation, of.env), value)
        : value,
    );
  }
  machine.run(making.value.body.body, env, frame);
}

function constructorOf(node: Class) {
  return node.body.body.filter(isMethod).find(({ kind }) => kind === "constructor");
}

function declareParameters(
  machine: InterpreterContext,
  of: ClassValue,
  args: readonly Argument[] | undefined,
): Env {
  const env = new Scope(of.file, of.env);
  const frame = createFrame({ home: of });
  constructorOf(of.node)?.value.params.forEach((parameter, index) => {
    const bare = parameter.type === "TSParameterProperty" ? parameter.parameter : parameter;
    const type = "typeAnnotation" in bare ? bare.typeAnnotation?.typeAnnotation : undefined;
    const given = args?.[index]?.value ?? (args ? undefinedValue : unknown);
    const value = given.kind === "opaque" ? instanceOr(machine.instanceOf(type, of.env), given) : given;
    declarePattern(machine, parameter, value, env, frame, (name, part) => {
      env.declare(name, part).bodies = args?.[index]?.bodies;
    });
  });
  return env;
}

export function baseOf(machine: InterpreterContext, { node, env }: ClassValue): Value | undefined {
  return node.superClass ? machine.evaluate(node.superClass, env, createFrame()) : undefined;
}

/** The arguments of the `super` call; `undefined` without one, because all arguments are then passed on. */
function superArguments(
  machine: InterpreterContext,
  of: ClassValue,
  args: readonly Argument[] | undefined,
  site: Site,
): Argument[] | undefined {
  const body = constructorOf(of.node)?.value.body?.body;
  for (const statement of body ?? []) {
    if (statement.type !== "ExpressionStatement" || statement.expression.type !== "CallExpression") continue;
    const { callee, arguments: given } = statement.expression;
    if (callee.type !== "Super") continue;
    return evaluateArguments(
      machine,
      given,
      declareParameters(machine, of, args),
      createFrame({ caller: site.frame }),
    );
  }
  return undefined;
}

/** The error of a class that extends `ApiError`, with the status from its constructor. */
function constructError(
  machine: InterpreterContext,
  of: ClassValue,
  args: readonly Argument[],
  site: Site,
): ErrorValue | undefined {
  const base = baseOf(machine, of);
  const given = superArguments(machine, of, args, site) ?? args;
  const error =
    base?.kind === "annex" && base.name === "ApiError"
      ? createError(machine, given, site)
      : base?.kind === "class"
        ? constructError(machine, base, given, site)
        : undefined;
  if (!error) return undefined;
  const own = of.node.body.body.find((member) => isField(member) && nameOf(member) === "status");
  const status =
    own && isField(own) && own.value ? machine.evaluate(own.value, of.env, createFrame()) : error.status;
  return { ...error, status, classes: [of, ...error.classes] };
}

/** A field, or a method bound to the instance. Base classes are searched as well. */
export function instanceProperty(
  machine: InterpreterContext,
  instance: InstanceValue,
  name: string,
  site: Site,
): Value {
  const field = instance.fields.get(name);
  if (field) return instance.isShared ? widen(field) : field;
  return findMember(machine, instance.of, name, instance, site);
}

/** A method of a class or one of its base classes, bound to the given object. */
export function findMember(
  machine: InterpreterContext,
  start: Value | undefined,
  name: string,
  self: Value,
  site: Site,
): Value {
  for (let of = start; of?.kind === "class"; of = baseOf(machine, of)) {
    const found = memberOf(machine, of, name, false, self);
    if (found) return isGetter(of, name) ? machine.call(found, [], site) : found;
  }
  return unknown;
}

function isGetter(of: ClassValue, name: string): boolean {
  return of.node.body.body.some(
    (member) => isMethod(member) && member.kind === "get" && nameOf(member) === name,
  );
}

export function staticProperty(machine: InterpreterContext, of: ClassValue, name: string): Value {
  return memberOf(machine, of, name, true, of) ?? unknown;
}

function memberOf(
  machine: InterpreterContext,
  of: ClassValue,
  name: string,
  isStatic: boolean,
  self: Value,
): Value | undefined {
  const member = of.node.body.body.find(
    (each) =>
      "static" in each &&
      each.static === isStatic &&
      nameOf(each) === name &&
      !(isMethod(each) && each.kind === "set"),
  );
  if (!member) return undefined;
  const declared = { file: of.file, start: member.start, name };
  if (isMethod(member)) {
    const method: FunctionValue = {
      kind: "function",
      node: member.value,
      file: of.file,
      env: of.env,
      self,
      declared: [declared],
    };
    return member.kind !== "constructor" && member.value.body ? { ...method, home: of } : undefined;
  }
  if (!isField(member)) return undefined;
  if (!member.value) return machine.instanceOf(member.typeAnnotation?.typeAnnotation, of.env);
  const value = machine.evaluate(member.value, of.env, createFrame({ self, home: of, isShared: isStatic }));
  return value.kind === "function" ? { ...value, declared: [declared, ...value.declared] } : value;
}
