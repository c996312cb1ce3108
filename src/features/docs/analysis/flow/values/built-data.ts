import type { Expression, Node } from "oxc-parser";
import { childrenOf, pathTo, placeOf, type SourceFile } from "../../source/source-file.ts";
import type { BuiltData, BuiltPart } from "./effects.ts";

/**
 * Data that a function builds step by step and then sends:
 * `const bag: Record<string, unknown> = {}; bag.colour = "red"`. Its type does not contain the keys, but its source does
 * if nothing else can change the data. Therefore every mention of the variable must be of a known kind.
 */

type Identifier = Extract<Node, { type: "Identifier" }>;
type Call = Extract<Node, { type: "CallExpression" }>;
type Member = Extract<Node, { type: "MemberExpression" }>;
type Assignment = Extract<Node, { type: "AssignmentExpression" }>;

/** A local variable and the block that declares it. */
interface LocalVariable {
  readonly block: Node;
  readonly id: Identifier;
  readonly init: Expression;
}

/** The variable that a name refers to, if it is declared in a block of the same function. */
function findLocal(file: SourceFile, { name, start }: Identifier): LocalVariable | undefined {
  const path = pathTo(file, start);
  const inner = path.slice(path.findLastIndex(({ type }) => /Function/.test(type)) + 1);
  for (const block of inner.filter(({ type }) => type === "BlockStatement").toReversed()) {
    const declared = childrenOf(block).flatMap((each) =>
      each.type === "VariableDeclaration" ? each.declarations : [],
    );
    const found = declared.find(({ id }) => id.type === "Identifier" && id.name === name);
    if (found) return found.init ? { block, id: found.id as Identifier, init: found.init } : undefined;
  }
  return undefined;
}

export function findBuilt(file: SourceFile, call: Call, data: Node): BuiltData | undefined {
  const local = data.type === "Identifier" ? findLocal(file, data) : undefined;
  const begin = local && beginningOf(local.init);
  if (!begin) return undefined;
  const mentions = mentionsOf(local.block, local.id.name);
  const callee = textOf(file, call.callee);
  const parts = mentions.map((path) => partsAt(path, local, { file, call, callee }));
  const known = parts.flatMap((each) => each ?? []);
  if (parts.includes(undefined) || known.length === 0) return undefined;
  return { ...begin, initial: begin.initial && placeOf(file, begin.initial), parts: known };
}

function beginningOf(init: Expression) {
  const bare =
    init.type === "TSAsExpression" || init.type === "TSSatisfiesExpression" ? init.expression : init;
  if (bare.type === "ObjectExpression")
    return { isList: false, hasHoles: false, initial: bare.properties.length > 0 ? bare : undefined };
  if (bare.type === "ArrayExpression" && bare.elements.length === 0) return { isList: true, hasHoles: false };
  const isMade = bare.type === "NewExpression" && bare.callee.type === "Identifier";
  if (!isMade || (bare.callee as Identifier).name !== "Array") return undefined;
  return { isList: true, hasHoles: bare.arguments.length > 0 };
}

/** Every mention of a name in a block. Each is the path of nodes to it, the outermost first. */
function mentionsOf(block: Node, name: string): Node[][] {
  const found: Node[][] = [];
  const visit = (node: Node, around: readonly Node[]) => {
    const path = [...around, node];
    if (node.type === "Identifier" && node.name === name && !isKey(path)) found.push(path);
    for (const child of childrenOf(node)) visit(child, path);
  };
  visit(block, []);
  return found;
}

/** A property name is not a mention: `e.bag`, `{ bag: 1 }`. */
function isKey(path: readonly Node[]): boolean {
  const [parent, node] = path.slice(-2);
  if (parent?.type === "MemberExpression") return parent.property === node && !parent.computed;
  if (parent?.type !== "Property") return false;
  return parent.key === node && !parent.computed && !parent.shorthand;
}

interface Sending {
  readonly file: SourceFile;
  readonly call: Call;
  /** `e.json`, as written. */
  readonly callee: string;
}

/** The parts that a mention adds to the data; `undefined` if it may change the data in other ways. */
function partsAt(path: readonly Node[], local: LocalVariable, sending: Sending): BuiltPart[] | undefined {
  const [outer, parent, node] = path.slice(-3) as [Node, Node, Identifier];
  if (node === local.id || parent.type === "TSTypeQuery") return [];
  if (parent.type === "CallExpression") return isHarmless(parent, sending) ? [] : undefined;
  if (parent.type !== "MemberExpression" || parent.object !== node) return undefined;
  if (outer.type === "CallExpression" && outer.callee === parent) return pushed(outer, parent, sending.file);
  if (outer.type === "AssignmentExpression" && outer.left === parent)
    return isLater(path, local, sending.call)
      ? []
      : assigned(outer, parent, isCertain(path, local, sending.call), sending.file);
  return isRead(outer) ? [] : undefined;
}

const readers = /^(Object\.(keys|values|entries)|JSON\.stringify)$/;

/** Calls that only read the data, or send it. */
function isHarmless({ callee }: Call, sending: Sending): boolean {
  const text = textOf(sending.file, callee);
  return text === sending.callee || readers.test(text);
}

const isRead = ({ type }: Node) =>
  /^(VariableDeclarator|IfStatement|BinaryExpression|LogicalExpression|ConditionalExpression|TemplateLiteral)$/.test(
    type,
  );

function pushed({ arguments: given }: Call, { computed, property }: Member, file: SourceFile) {
  if (computed || (property as Identifier).name !== "push") return undefined;
  if (given.some(({ type }) => type === "SpreadElement")) return undefined;
  return given.map((each) => ({ place: placeOf(file, each), isCertain: false, isPushed: true }));
}

function assigned(
  { operator, right }: Assignment,
  { computed, property }: Member,
  certain: boolean,
  file: SourceFile,
): BuiltPart[] | undefined {
  if (operator !== "=" && operator !== "??=") return undefined;
  const isText = property.type === "Literal" && typeof property.value === "string";
  const name = isText ? String(property.value) : computed ? undefined : (property as Identifier).name;
  if (name !== undefined && special.has(name)) return undefined;
  return [{ ...(name !== undefined && { name }), place: placeOf(file, right), isCertain: certain }];
}

/** Keys with side effects. */
const special = new Set(["__proto__", "length", "toJSON"]);

function isCertain(path: readonly Node[], local: LocalVariable, call: Call): boolean {
  const statement = ownStatement(path, local);
  return statement !== undefined && statement.end <= call.start;
}

function isLater(path: readonly Node[], local: LocalVariable, call: Call): boolean {
  const statement = ownStatement(path, local);
  return statement !== undefined && statement.start >= call.end;
}

/**
 * The statement of an assignment, if it is directly in the block that declares the data. These statements run in order.
 */
function ownStatement(path: readonly Node[], { block }: LocalVariable): Node | undefined {
  const [outer, statement] = path.slice(-5);
  return outer === block && statement?.type === "ExpressionStatement" ? statement : undefined;
}

const textOf = ({ text }: SourceFile, { start, end }: Node) => text.slice(start, end);
