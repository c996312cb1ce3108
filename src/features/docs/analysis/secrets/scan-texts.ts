import type { Node } from "oxc-parser";
import { isSensitiveName } from "../../../../lib/redaction/sensitive-names.ts";
import { childrenOf, type SourceFile } from "../source/source-file.ts";

/** The strings and numbers written in a file. */
export interface FileTexts {
  /** Assigned to a name that looks like a credential, or a fallback for an environment variable. */
  readonly secret: Set<string>;
  /** All others. */
  readonly plain: Set<string>;
  /** Functions that read the environment: `env("HOOK", "fallback")`. */
  readonly environmentFunctions: Set<string>;
  readonly calls: { readonly name: string; readonly texts: readonly string[] }[];
}

export function scanTexts(file: SourceFile): FileTexts {
  return new TextScan(file.text).run(file.program);
}

/** A single pass through a file. It uses a list instead of recursion, because source may be deeply nested. */
class TextScan {
  private readonly text: string;
  private readonly waiting: [node: Node, isSecret: boolean][] = [];
  private readonly found: FileTexts = {
    secret: new Set(),
    plain: new Set(),
    environmentFunctions: new Set(),
    calls: [],
  };

  constructor(text: string) {
    this.text = text;
  }

  run(program: Node): FileTexts {
    this.waiting.push([program, false]);
    for (let next = this.waiting.pop(); next; next = this.waiting.pop()) this.visit(...next);
    return this.found;
  }

  private visit(node: Node, isSecret: boolean): void {
    const literal = literalText(node);
    if (literal !== undefined) (isSecret ? this.found.secret : this.found.plain).add(literal);
    if (node.type === "CallExpression") this.visitCall(node, isSecret);
    else this.visitChildren(node, isSecret);
  }

  private visitChildren(node: Node, isSecret: boolean): void {
    const name = heldBy(node);
    if (name !== undefined) this.noteName(name, node);
    const isHeld = name !== undefined && isSensitiveName(name);
    const isInside = isHeld || (isSecret && passesOn(node)) || this.isFallback(node);
    for (const child of childrenOf(node)) this.waiting.push([child, isInside]);
  }

  private noteName(name: string, node: Node): void {
    if ("key" in node && node.key.type === "Identifier") this.found.plain.add(name);
    const value = heldValue(node);
    if (value && isFunction(value) && this.readsEnvironment(value)) this.found.environmentFunctions.add(name);
  }

  /** Arguments are secrets if the called function reads the environment, which is only known later. */
  private visitCall({ callee, arguments: given }: CallNode, isSecret: boolean): void {
    if (callees.has(this.source(callee))) {
      for (const argument of given) this.waiting.push([argument, isSecret]);
      return;
    }
    const called = callee.type === "MemberExpression" ? callee.property : callee;
    const texts = given.flatMap((argument) => literalText(argument) ?? []);
    this.found.calls.push({ name: nameOf(called) ?? "", texts });
    const others = given.filter((argument) => literalText(argument) === undefined);
    for (const node of [callee, ...others]) this.waiting.push([node, false]);
  }

  /** Whether the node contains the fallback for an unset environment variable. */
  private isFallback(node: Node): boolean {
    switch (node.type) {
      case "LogicalExpression":
      case "AssignmentExpression":
        return this.readsEnvironment(node.left);
      case "ConditionalExpression":
        return this.readsEnvironment(node.test);
      case "VariableDeclarator":
        return node.id.type === "ObjectPattern" && node.init !== null && this.readsEnvironment(node.init);
      default:
        return false;
    }
  }

  private readsEnvironment(node: Node): boolean {
    return /\benv\b/.test(this.source(node));
  }

  private source({ start, end }: Node): string {
    return this.text.slice(start, end);
  }
}

type CallNode = Extract<Node, { type: "CallExpression" }>;

/** Functions that return their argument. */
const callees = new Set([
  "Object.freeze",
  "Object.seal",
  "Buffer.from",
  "String",
  "Array.of",
  "structuredClone",
]);

function literalText(node: Node): string | undefined {
  if (node.type === "TemplateElement") return node.value.cooked || undefined;
  if (node.type !== "Literal") return undefined;
  return typeof node.value === "string" || typeof node.value === "number" ? String(node.value) : undefined;
}

/** The name that receives the value of a declaration, an assignment, a property, a field or a type of one. */
function heldBy(node: Node): string | undefined {
  switch (node.type) {
    case "VariableDeclarator":
    case "FunctionDeclaration":
    case "TSEnumDeclaration":
    case "TSEnumMember":
      return node.id ? nameOf(node.id) : undefined;
    case "AssignmentPattern":
    case "AssignmentExpression":
      return nameOf(node.left.type === "MemberExpression" ? node.left.property : node.left);
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
    case "TSPropertySignature":
      return nameOf(node.key);
    default:
      return undefined;
  }
}

function nameOf(node: Node): string | undefined {
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") return node.name;
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function heldValue(node: Node): Node | null | undefined {
  switch (node.type) {
    case "VariableDeclarator":
      return node.init;
    case "FunctionDeclaration":
      return node;
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
      return node.value;
    default:
      return undefined;
  }
}

const isFunction = ({ type }: Node) => type.includes("Function");

/** Expressions that may wrap a secret. Functions and other calls are handled separately. */
function passesOn({ type }: Node): boolean {
  return !/Function|^Call|^Class|^MethodDefinition|Statement$/.test(type);
}
