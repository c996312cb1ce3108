import { basename } from "node:path";
import type { Expression, Node } from "oxc-parser";
import { isInPackage } from "../../../../lib/paths/paths.ts";
import type { SourceLocation } from "../../../../lib/source/source-location.ts";
import type { Diagnostic, Directives } from "../../model/facts.ts";
import type { Interpreter } from "../flow/interpreter.ts";
import { createFrame } from "../flow/interpreter-context.ts";
import type { FunctionValue, Value } from "../flow/values/value.ts";
import { mergeDirectives, readDirectives } from "../source/directives.ts";
import { type Place, placeOf, type SourceFile } from "../source/source-file.ts";
import { type CallNode, callAt, functionAt, scopeAt } from "./locate.ts";
import type { Route } from "./route.ts";
import type { RunningText } from "./same-function.ts";

export interface FoundHandler {
  readonly handler: FunctionValue;
  /**
   * The handler's name and comments. `responses` are the locations of its responses and of the calls that led to them:
   * for combined functions such as `inTurn(check, show)`, the function that sends the response comes first.
   */
  describe(responses: readonly Place[]): HandlerWords;
  /** The argument passed to the router: a function, or an expression that creates one. */
  readonly expression: Place | undefined;
}

export interface HandlerWords {
  readonly name: string | undefined;
  readonly directives: Directives;
}

/** The handler, or the reason why it was not found. `isHidden`: the running program may know its location. */
export type Finding = FoundHandler | { readonly problem: Diagnostic; readonly isHidden?: boolean };

/** Information about the running program. */
export interface Reading {
  /** Whether a function in the source is the one that runs. True if they cannot be compared. */
  isRunning(found: FunctionValue, running: RunningText, route: Route): boolean;
  /** A file that starts with `// API_SOURCE`. If there is one, files without this comment are not read. */
  readonly markedFile: string | undefined;
}

/** Finds the function that serves a route: from the code that registers the route, or else from the running program. */
export function findHandler(machine: Interpreter, route: Route, reading: Reading): Finding {
  const written = readRegistration(machine, route);
  const running = { text: route.handlerText, name: route.handlerName };
  const handler = [written?.handler, route.handler && functionFrom(machine, route.handler)].find(
    (found) => found && reading.isRunning(found, running, route),
  );
  const leaveOut = (problem: Diagnostic) => ({ problem: { ...problem, isUnread: true } });
  if (!handler) return { ...leaveOut(notFound(machine, route)), isHidden: route.handler === undefined };
  const all = layersOf(handler).flatMap(({ declared }) => declared);
  const broken = all.find(({ file }) => file.problems.length > 0);
  if (broken) return leaveOut(syntaxError(broken.file));
  if (all.every(({ file }) => isInPackage(file.path))) return leaveOut(inPackage(handler));
  if (reading.markedFile !== undefined && !all.some(({ file }) => file.isMarked))
    return leaveOut(notMarked(handler, reading.markedFile));
  return {
    handler,
    describe(responses) {
      const declared = layersOf(handler, responses).flatMap((layer) => layer.declared);
      return { name: nameOf(declared, route), directives: directivesOf(declared, written?.statement) };
    },
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
  /** The statement that registers the route. Comments for an inline handler may be above it. */
  readonly statement: { file: SourceFile; node: Node } | undefined;
  readonly expression: Place | undefined;
}

function readRegistration(machine: Interpreter, route: Route): Registration | undefined {
  const { registered } = route;
  const file = registered && machine.files.read(registered.file);
  if (!registered || !file) return undefined;
  const offset = file.offsetOf(registered.line, registered.column);
  const found = callAt(file, offset, (call) => mayRegister(call, route));
  if (!found) return undefined;
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

/** Whether a call may be the one that registered a route, judging by its method and path if they are literals. */
function mayRegister({ callee, arguments: [first] }: CallNode, { method, path }: Route): boolean {
  const name =
    callee.type === "MemberExpression" && !callee.computed && callee.property.type === "Identifier"
      ? callee.property.name
      : undefined;
  if (name === "crud") return true;
  if (name !== undefined && name !== method.toLowerCase()) return false;
  const written = first?.type === "Literal" && typeof first.value === "string" ? first.value : undefined;
  return written === undefined || path.endsWith(written.replace(/^\/+|\/+$/g, ""));
}

function crudName({ method, path }: Route): string {
  const names: Record<string, string> = { POST: "create", PUT: "update", PATCH: "patch", DELETE: "delete" };
  return names[method] ?? (path.endsWith("}") ? "get" : "list");
}

function nameOf(all: FunctionValue["declared"], { handlerName }: Route): string | undefined {
  return (
    all.find(({ file, name }) => file.isMarked && name)?.name ??
    all.find(({ name }) => name)?.name ??
    handlerName
  );
}

/** A function and, recursively, the functions that it wraps. Those that send a response come first. */
function layersOf(handler: FunctionValue, responses: readonly Place[] = []): FunctionValue[] {
  const inner = (handler.wraps ?? []).map((each) => layersOf(each, responses));
  const responds = (layers: readonly FunctionValue[]) =>
    layers.some(({ file, node }) =>
      responses.some((at) => at.file === file.path && at.start >= node.start && at.end <= node.end),
    );
  const [responding, others] = [inner.filter(responds), inner.filter((layers) => !responds(layers))];
  return [handler, ...responding.flat(), ...others.flat()];
}

/** The comments of the outermost declaration that has any. */
function directivesOf(places: FunctionValue["declared"], statement: Registration["statement"]): Directives {
  const isInline =
    statement &&
    places.some(
      ({ file, start }) =>
        file === statement.file && start >= statement.node.start && start < statement.node.end,
    );
  const outer = isInline ? [{ file: statement.file, start: statement.node.start }] : [];
  return mergeDirectives([...places, ...outer].map(({ file, start }) => readDirectives(file, start)));
}

function notFound(machine: Interpreter, { registered, handler, problem }: Route): Diagnostic {
  const files = [handler, registered].map((place) => place && machine.files.read(place.file));
  const broken = files.find((file) => file && file.problems.length > 0);
  if (broken) return syntaxError(broken);
  return {
    code: "HANDLER_NOT_FOUND",
    message: `The handler was not found in the source, so only the route is documented. ${problem?.message ?? "Pass the function itself to the router."}`,
    ...(problem ? { file: problem.file } : registered && { file: registered.file, line: registered.line }),
  };
}

function inPackage({ file, node }: FunctionValue): Diagnostic {
  return {
    code: "HANDLER_NOT_FOUND",
    message:
      "The handler is part of a package, so only the route is documented. To document it, wrap it in your own function.",
    file: file.path,
    line: file.lineOf(node.start),
  };
}

function notMarked({ file, node }: FunctionValue, marked: string): Diagnostic {
  return {
    code: "FILE_NOT_MARKED",
    message: `Only the route is documented, because ${basename(file.path)} does not begin with \`// API_SOURCE\` and other files do, such as ${basename(marked)}. Add the comment to this file, or remove it from all files to read every handler.`,
    file: file.path,
    line: file.lineOf(node.start),
  };
}

function syntaxError({ path, problems: [first] }: SourceFile): Diagnostic {
  return {
    code: "SYNTAX_ERROR",
    message: `The file has a syntax error, so only the routes of its handlers are documented: ${first!.message}.`,
    file: path,
    line: first!.line,
  };
}
