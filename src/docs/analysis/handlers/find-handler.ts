import type { Expression, Node } from "oxc-parser";
import type { SourceLocation } from "../../../lib/source-location.ts";
import type { Diagnostic } from "../../openapi/facts.ts";
import type { Interpreter } from "../flow/interpreter.ts";
import { createFrame } from "../flow/machine.ts";
import type { FunctionValue, Value } from "../flow/value.ts";
import { type Directives, readDirectives } from "../source/directives.ts";
import { type Place, placeOf, type SourceFile } from "../source/source-file.ts";
import { callAt, functionAt, scopeAt } from "./locate.ts";
import type { Route } from "./route.ts";

export interface FoundHandler {
  readonly handler: FunctionValue;
  readonly name: string | undefined;
  readonly directives: Directives;
  /** What was given to the router: a function, or what makes one. */
  readonly expression: Place | undefined;
}

/** Either the handler, or why there is none; one in a file without a mark is not looked for, and no problem. `isHidden`: the running program may know where it is. */
export type Finding =
  | FoundHandler
  | { readonly problem: Diagnostic | undefined; readonly isHidden?: boolean };

/** Finds the function that serves a route: by what was written where the route was registered, else by what runs. */
export function findHandler(machine: Interpreter, route: Route): Finding {
  const written = readRegistration(machine, route);
  const handler = written?.handler ?? (route.handler && functionFrom(machine, route.handler));
  if (!handler) return { problem: notFound(machine, route), isHidden: route.handler === undefined };
  const all = layersOf(handler).flatMap(({ declared }) => declared);
  const broken = all.find(({ file }) => file.problems.length > 0);
  if (broken) return { problem: syntaxError(broken.file) };
  if (!all.some(({ file }) => file.isMarked)) return { problem: undefined };
  return {
    handler,
    name: nameOf(handler, route),
    directives: directivesOf(handler, written?.statement),
    expression: written?.expression,
  };
}

export function functionFrom(
  machine: Interpreter,
  { file: path, line, column }: SourceLocation,
): FunctionValue | undefined {
  const file = machine.files.read(path);
  return file && functionAt(machine, file, file.offsetOf(line, column));
}

interface Registration {
  readonly handler: FunctionValue | undefined;
  /** The statement that registers the route: comments above an inline handler may stand above it. */
  readonly statement: { file: SourceFile; node: Node } | undefined;
  readonly expression: Place | undefined;
}

function readRegistration(machine: Interpreter, route: Route): Registration | undefined {
  const file = route.registered && machine.files.read(route.registered.file);
  const found = file && callAt(file, file.offsetOf(route.registered.line, route.registered.column));
  if (!file || !found) return undefined;
  const { call, path } = found;
  const argument = call.arguments[1];
  if (!argument || argument.type === "SpreadElement") return undefined;
  const { env, self } = scopeAt(machine, file, path);
  const frame = createFrame({ self });
  const value = machine.evaluate(argument as Expression, env, frame);
  const isCrud =
    call.callee.type === "MemberExpression" &&
    call.callee.property.type === "Identifier" &&
    call.callee.property.name === "crud";
  const site = { node: call, env, frame };
  const chosen: Value = isCrud ? machine.property(value, crudName(route), site) : value;
  const statement = path.findLast(({ type }) => /Statement$|^VariableDeclaration$/.test(type));
  return {
    handler: chosen.kind === "function" ? chosen : undefined,
    statement: statement && !isCrud ? { file, node: statement } : undefined,
    expression: isCrud ? undefined : placeOf(file, argument),
  };
}

function crudName({ method, path }: Route): string {
  const names: Record<string, string> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
  return names[method] ?? (path.endsWith("}") ? "get" : "list");
}

function nameOf(handler: FunctionValue, { handlerName }: Route): string | undefined {
  const all = layersOf(handler).flatMap(({ declared }) => declared);
  return (
    all.find(({ file, name }) => file.isMarked && name)?.name ??
    all.find(({ name }) => name)?.name ??
    handlerName
  );
}

/** A function, and the functions that it was made of, and so on. */
function layersOf(handler: FunctionValue): FunctionValue[] {
  return [handler, ...(handler.wraps ?? []).flatMap(layersOf)];
}

/** The comments of the outermost declaration that has some. */
function directivesOf(handler: FunctionValue, statement: Registration["statement"]): Directives {
  const places = layersOf(handler).flatMap(({ declared }) => declared);
  const isInline =
    statement &&
    places.some(
      ({ file, start }) =>
        file === statement.file && start >= statement.node.start && start < statement.node.end,
    );
  const outer = isInline ? [{ file: statement.file, start: statement.node.start }] : [];
  const told = [...places, ...outer].map(({ file, start }) => readDirectives(file, start));
  return {
    description: told.find(({ description }) => description)?.description,
    tags: told.find(({ tags }) => tags)?.tags,
    isDeprecated: told.some(({ isDeprecated }) => isDeprecated),
  };
}

function notFound(machine: Interpreter, { registered, handler, method, path }: Route): Diagnostic {
  const files = [handler, registered].map((place) => place && machine.files.read(place.file));
  const broken = files.find((file) => file && file.problems.length > 0);
  if (broken) return syntaxError(broken);
  return {
    code: "HANDLER_NOT_FOUND",
    message: `The function that serves ${method} ${path} could not be found in the source, so only its route is documented; give the router the function itself.`,
    ...(registered && { file: registered.file, line: registered.line }),
  };
}

function syntaxError({ path, problems: [first] }: SourceFile): Diagnostic {
  return {
    code: "SYNTAX_ERROR",
    message: `The file cannot be read: ${first!.message}. Its handlers are documented by their routes only.`,
    file: path,
    line: first!.line,
  };
}
