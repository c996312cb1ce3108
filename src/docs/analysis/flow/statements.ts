import type { Expression, Node, Statement } from "oxc-parser";
import { childrenOf } from "../source/source-file.ts";
import { evaluateCondition } from "./conditions.ts";
import { Scope } from "./env.ts";
import { nameFunction, requireReads } from "./expressions.ts";
import { type Caught, createFrame, type Ending, type Frame, type Machine } from "./machine.ts";
import { declarePattern } from "./patterns.ts";
import { markValues, readsIn } from "./read-uses.ts";
import type { Env } from "./value.ts";
import { type ClassValue, literalsOf, truthOf, union, unknown, type Value } from "./value.ts";

/** Follows statements in order, up to one that nothing gets past. */
export function runStatements(
  machine: Machine,
  statements: readonly Statement[],
  env: Env,
  frame: Frame,
): Ending {
  hoist(machine, statements, env, frame);
  for (const statement of statements) {
    const ending = runStatement(machine, statement, env, frame);
    if (ending !== "goes on") return ending;
  }
  return "goes on";
}

/** Functions and classes can be used before their declaration, and so can constants from within a function. */
function hoist(machine: Machine, statements: readonly Statement[], env: Env, frame: Frame): void {
  for (const outer of statements) {
    const statement = declarationIn(outer);
    if (statement.type === "FunctionDeclaration" && statement.id) {
      env.declare(statement.id.name, {
        kind: "function",
        node: statement,
        file: env.file,
        env,
        self: undefined,
        declared: [{ file: env.file, start: outer.start, name: statement.id.name }],
      });
    } else if (statement.type === "ClassDeclaration" && statement.id) {
      env.declare(statement.id.name, { kind: "class", node: statement, file: env.file, env });
    } else if (statement.type === "TSEnumDeclaration") {
      env.declare(statement.id.name, undefined, 0, () => enumOf(machine, statement, env, frame));
    } else if (statement.type === "VariableDeclaration") {
      for (const { id, init } of statement.declarations) {
        if (id.type === "Identifier" && init && isFunction(init)) {
          env.declare(id.name, undefined, frame.conditions, () => {
            const declared = { file: env.file, start: outer.start, name: id.name };
            return nameFunction(machine.evaluate(init, env, frame), init, declared);
          });
        }
      }
    }
  }
}

const isFunction = ({ type }: Node) => type === "ArrowFunctionExpression" || type === "FunctionExpression";

/** What an `export` declares, or the statement itself. */
export function declarationIn(statement: Statement): Statement {
  if (statement.type === "ExportNamedDeclaration" && statement.declaration)
    return statement.declaration as Statement;
  return statement;
}

function enumOf(
  machine: Machine,
  node: Extract<Statement, { type: "TSEnumDeclaration" }>,
  env: Env,
  frame: Frame,
): Value {
  const properties = new Map<string, Value>();
  let next: number | undefined = 0;
  for (const { id, initializer } of node.body.members) {
    const name = id.type === "Identifier" ? id.name : id.type === "Literal" ? String(id.value) : undefined;
    if (name === undefined) continue;
    const value: Value = initializer
      ? machine.evaluate(initializer, env, frame)
      : next === undefined
        ? unknown
        : { kind: "literal", value: next };
    properties.set(name, value);
    const [number]: unknown[] = literalsOf(value) ?? [];
    next = typeof number === "number" ? number + 1 : undefined;
  }
  return { kind: "object", properties, rest: undefined };
}

function runStatement(machine: Machine, node: Statement, env: Env, frame: Frame): Ending {
  const evaluate = (inner: Expression) => machine.evaluate(inner, env, frame);
  const cutOff = (): Ending => (takeCutOff(frame) ? "throws" : "goes on");
  switch (node.type) {
    case "ExpressionStatement":
      evaluate(node.expression);
      return cutOff();
    case "VariableDeclaration":
      declareVariables(machine, node, env, frame);
      return cutOff();
    case "ReturnStatement":
      frame.returned.push(node.argument ? evaluate(node.argument) : { kind: "literal", value: undefined });
      return takeCutOff(frame) ? "throws" : "returns";
    case "ThrowStatement":
      throwValue(machine, node, evaluate(node.argument), env, frame);
      frame.isCutOff = false;
      return "throws";
    case "BlockStatement":
      return machine.run(node.body, new Scope(env.file, env), frame);
    case "IfStatement":
      return runIf(machine, node, env, frame);
    case "SwitchStatement":
      return runSwitch(machine, node, env, frame);
    case "TryStatement":
      return runTry(machine, node, env, frame);
    case "ForStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "ForInStatement":
    case "ForOfStatement":
      return runLoop(machine, node, env, frame);
    case "LabeledStatement": {
      const ending = machine.run([node.body], env, frame);
      return ending === "breaks" ? "goes on" : ending;
    }
    case "BreakStatement":
    case "ContinueStatement":
      return "breaks";
    case "ExportNamedDeclaration":
      return node.declaration ? runStatement(machine, declarationIn(node), env, frame) : "goes on";
    default:
      return "goes on";
  }
}

function takeCutOff(frame: Frame): boolean {
  const { isCutOff } = frame;
  frame.isCutOff = false;
  return isCutOff;
}

function declareVariables(
  machine: Machine,
  node: Extract<Statement, { type: "VariableDeclaration" }>,
  env: Env,
  frame: Frame,
): void {
  for (const { id, init } of node.declarations) {
    const evaluated = init
      ? machine.evaluate(init, env, frame)
      : ({ kind: "literal", value: undefined } as const);
    const type = id.typeAnnotation?.typeAnnotation;
    if (evaluated.kind === "body" && type)
      evaluated.body.types.unshift({ kind: "type", place: machine.placeOf(type, env) });
    const typed = evaluated.kind === "opaque" ? machine.instanceOf(type, env) : evaluated;
    const name = id.type === "Identifier" ? id.name : undefined;
    const value =
      init && name ? nameFunction(typed, init, { file: env.file, start: node.start, name }) : typed;
    declarePattern(
      machine,
      id,
      value,
      env,
      frame,
      (each, part) => void env.declare(each, part, frame.conditions),
    );
  }
}

function throwValue(machine: Machine, node: Node, value: Value, env: Env, frame: Frame): void {
  const caught = frame.caught.get(value);
  if (caught) caught.isRethrown = true;
  const members = value.kind === "union" ? value.values : [value];
  for (const member of members) {
    if (member.kind === "error")
      frame.effects.throws.push({ error: member, place: machine.placeOf(node, env) });
  }
}

interface Branch {
  readonly ending: Ending;
  /** The request is refused there. */
  readonly isRefusal: boolean;
}

/** Follows what may or may not be reached. */
function runBranch(machine: Machine, statements: readonly Statement[], env: Env, frame: Frame): Branch {
  const { conditions, exits } = frame;
  const answersBefore = frame.effects.answers.length;
  frame.conditions++;
  const ending = machine.run(statements, new Scope(env.file, env), frame);
  frame.conditions = conditions;
  const answers = frame.effects.answers.slice(answersBefore);
  const refuses =
    answers.length > 0 &&
    answers.every(({ status }) => literalsOf(status)?.every((each) => Number(each) >= 400));
  const isRefusal = ending === "throws" || (ending === "returns" && refuses);
  if (ending === "returns" && !isRefusal) frame.exits++;
  if (frame.exits > exits) frame.conditions++;
  return { ending, isRefusal };
}

function runIf(
  machine: Machine,
  node: Extract<Statement, { type: "IfStatement" }>,
  env: Env,
  frame: Frame,
): Ending {
  const { value, trueWithout, falseWithout, trueUnless, isByComparison } = evaluateCondition(
    machine,
    node.test,
    env,
    frame,
  );
  if (takeCutOff(frame)) return "throws";
  const truth = truthOf(value);
  const decided = truth === true ? node.consequent : truth === false ? node.alternate : undefined;
  const other = truth ? node.alternate : node.consequent;
  if (truth !== undefined && isByComparison && other) keepErrors(machine, other, env, frame);
  if (truth !== undefined)
    return decided ? machine.run([decided], new Scope(env.file, env), frame) : "goes on";
  const conditions = frame.conditions;
  const check = errorCheck(machine, node.test, env, frame);
  const wasRethrown = check?.caught.isRethrown;
  const yes = runBranch(machine, [node.consequent], env, frame);
  if (
    check &&
    yes.ending !== "goes on" &&
    (check.isNegated ? check.caught.isRethrown : check.caught.isRethrown === wasRethrown)
  )
    check.caught.handled.push(check.of);
  const after = frame.conditions;
  frame.conditions = conditions;
  if (yes.isRefusal) {
    requireReads(trueWithout, frame);
    if (trueUnless) {
      markValues(trueUnless.read, trueUnless.values);
      requireReads([trueUnless.read], frame);
    }
  }
  const no = node.alternate ? runBranch(machine, [node.alternate], env, frame) : undefined;
  const afterElse = frame.conditions;
  frame.conditions = conditions;
  if (no?.isRefusal) requireReads(falseWithout, frame);
  frame.conditions = Math.max(after, afterElse);
  return no ? joinEndings(yes.ending, no.ending) : "goes on";
}

/**
 * A function that refuses some value is documented as refusing, also where it happens to be called with another one:
 * an error too many does less harm than one that nobody was told of.
 */
function keepErrors(machine: Machine, statement: Statement, env: Env, frame: Frame): void {
  const aside = createFrame({ caller: frame, self: frame.self, home: frame.home, conditions: 1 });
  machine.run([statement], new Scope(env.file, env), aside);
  frame.effects.throws.push(...aside.effects.throws);
}

function joinEndings(one: Ending, other: Ending): Ending {
  if (one === other) return one;
  if (one === "goes on" || other === "goes on") return "goes on";
  return one === "breaks" || other === "breaks" ? "breaks" : "returns";
}

/** `error instanceof X`, or its opposite, of what a `catch` holds. */
function errorCheck(
  machine: Machine,
  test: Expression,
  env: Env,
  frame: Frame,
): { caught: Caught; of: Value; isNegated: boolean } | undefined {
  const isNegated = test.type === "UnaryExpression" && test.operator === "!";
  const inner = isNegated ? test.argument : test;
  if (inner.type !== "BinaryExpression" || inner.operator !== "instanceof") return undefined;
  const caught = frame.caught.get(machine.evaluate(inner.left, env, frame));
  return caught && { caught, of: machine.evaluate(inner.right, env, frame), isNegated };
}

function runSwitch(
  machine: Machine,
  node: Extract<Statement, { type: "SwitchStatement" }>,
  env: Env,
  frame: Frame,
): Ending {
  const subject = machine.evaluate(node.discriminant, env, frame);
  const tests = node.cases.map(({ test }) =>
    test ? literalsOf(machine.evaluate(test, env, frame)) : undefined,
  );
  const known = literalsOf(subject);
  const scope = new Scope(env.file, env);
  const endings: Ending[] = [];
  let otherwise: Branch | undefined;
  const conditions = frame.conditions;
  let after = conditions;
  node.cases.forEach((each, index) => {
    // A case that is known not to be meant is not followed, unless one before it falls through.
    if (
      known &&
      tests[index] &&
      !tests[index]!.some((value) => known.includes(value)) &&
      endings.at(-1) !== "goes on"
    )
      return;
    const branch = runBranch(machine, each.consequent, scope, frame);
    after = Math.max(after, frame.conditions);
    frame.conditions = conditions;
    if (each.consequent.length > 0 || index === node.cases.length - 1) endings.push(branch.ending);
    if (!each.test) otherwise = branch;
  });
  if (!otherwise || otherwise.isRefusal) {
    const values = tests.flatMap((each) => each ?? []);
    const allKnown = node.cases.every(({ test }, index) => !test || tests[index]);
    for (const read of readsIn(subject)) {
      if (allKnown) markValues(read, values);
      if (otherwise?.isRefusal && allKnown) requireReads([read], frame);
    }
  }
  frame.conditions = after;
  if (!otherwise || endings.some((ending) => ending === "goes on" || ending === "breaks")) return "goes on";
  return endings.every((ending) => ending === "throws") ? "throws" : "returns";
}

function runTry(
  machine: Machine,
  node: Extract<Statement, { type: "TryStatement" }>,
  env: Env,
  frame: Frame,
): Ending {
  const { throws, reads, bodies } = frame.effects;
  const thrownBefore = throws.length;
  const bodiesBefore = bodies.length;
  const requiredBefore = new Set(reads.filter(({ isRequired }) => isRequired));
  const rethrownBefore = new Map([...frame.caught.values()].map((each) => [each, each.isRethrown]));
  const tried = machine.run(node.block.body, new Scope(env.file, env), frame);
  let ending = tried;
  if (node.handler) {
    const caught: Caught = { isRethrown: false, handled: [] };
    const inTry = throws.splice(thrownBefore);
    const bodiesInTry = bodies.slice(bodiesBefore);
    // What an outer `catch` holds and throws again in here ends in this one.
    for (const [outer, isRethrown] of rethrownBefore) outer.isRethrown = isRethrown;
    const error: Value =
      inTry.length > 0 ? { kind: "union", values: inTry.map(({ error: each }) => each) } : { kind: "opaque" };
    // An object of its own: rethrowing is recognised by it.
    const held: Value = { ...error, ...(error.kind === "union" && { values: [...error.values, unknown] }) };
    frame.caught.set(held, caught);
    const scope = new Scope(env.file, env);
    if (node.handler.param)
      declarePattern(
        machine,
        node.handler.param,
        held,
        scope,
        frame,
        (name, value) => void scope.declare(name, value, frame.conditions),
      );
    const handled = runBranch(machine, node.handler.body.body, scope, frame);
    frame.caught.delete(held);
    const thrownAgain = throws
      .splice(thrownBefore)
      .filter(({ error: each }) => !caught.isRethrown || !inTry.some((known) => known.error === each));
    if (caught.isRethrown)
      throws.push(...inTry.filter(({ error: each }) => !caught.handled.some((of) => isOf(each.classes, of))));
    else if (!handled.isRefusal)
      for (const read of reads) if (read.isRequired && !requiredBefore.has(read)) read.isRequired = false;
    if (!caught.isRethrown) for (const body of bodiesInTry) body.isCaught = true;
    throws.push(...thrownAgain);
    ending = joinEndings(tried, handled.ending);
  }
  if (node.finalizer) {
    const last = machine.run(node.finalizer.body, new Scope(env.file, env), frame);
    if (last !== "goes on") return last;
  }
  return ending;
}

function isOf(classes: readonly ClassValue[], of: Value): boolean {
  if (of.kind === "annex") return of.name === "ApiError";
  return of.kind === "class" && classes.some(({ node }) => node === of.node);
}

type Loop = Extract<
  Statement,
  { type: "ForStatement" | "WhileStatement" | "DoWhileStatement" | "ForInStatement" | "ForOfStatement" }
>;

function runLoop(machine: Machine, node: Loop, env: Env, frame: Frame): Ending {
  const scope = new Scope(env.file, env);
  let isEndless = false;
  if (node.type === "ForStatement") {
    if (node.init?.type === "VariableDeclaration") declareVariables(machine, node.init, scope, frame);
    else if (node.init) machine.evaluate(node.init, scope, frame);
    if (node.test) machine.evaluate(node.test, scope, frame);
  } else if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
    declareLoopVariable(machine, node, scope, frame);
  } else {
    isEndless = truthOf(machine.evaluate(node.test, scope, frame)) === true;
  }
  for (const name of changedNames(node)) forget(scope, name);
  const branch = runBranch(machine, [node.body], scope, frame);
  if (node.type === "ForStatement" && node.update) machine.evaluate(node.update, scope, frame);
  if (isEndless && (branch.ending === "returns" || branch.ending === "throws")) return branch.ending;
  return "goes on";
}

/** What a loop counts up may be anything in its body. */
function changedNames(node: Node): Set<string> {
  const names = new Set<string>();
  const visit = (inner: Node) => {
    const target =
      inner.type === "UpdateExpression"
        ? inner.argument
        : inner.type === "AssignmentExpression" && inner.operator !== "="
          ? inner.left
          : undefined;
    if (target?.type === "Identifier") names.add(target.name);
    for (const child of childrenOf(inner)) visit(child);
  };
  visit(node);
  return names;
}

function forget(env: Env, name: string): void {
  const binding = env.find(name);
  if (binding?.value?.kind === "literal" && typeof binding.value.value === "number") binding.value = unknown;
}

function declareLoopVariable(
  machine: Machine,
  node: Extract<Loop, { type: "ForOfStatement" | "ForInStatement" }>,
  env: Env,
  frame: Frame,
): void {
  const over = machine.evaluate(node.right, env, frame);
  const item = itemOf(machine, over, node, env, frame);
  const pattern = node.left.type === "VariableDeclaration" ? node.left.declarations[0]!.id : node.left;
  declarePattern(
    machine,
    pattern as Node,
    item,
    env,
    frame,
    (name, value) => void env.declare(name, value, frame.conditions),
  );
}

function itemOf(machine: Machine, over: Value, node: Loop, env: Env, frame: Frame): Value {
  if (node.type === "ForInStatement") {
    return over.kind === "object" && !over.rest
      ? union([...over.properties.keys()].map((value) => ({ kind: "literal", value })))
      : unknown;
  }
  if (over.kind === "request" || over.kind === "raw") return { kind: "raw" };
  if (over.kind === "search") {
    const message =
      "This reads every query parameter, whatever its name, so their names are not in the document; read them by name.";
    machine.report({ code: "PARAMETER_NAME_UNKNOWN", message }, { node, env, frame });
  }
  if (over.kind !== "array") return unknown;
  return over.items.length === 0 ? unknown : union(over.items);
}
