import { existsSync } from "node:fs";
import {
  type InterfaceDeclaration,
  isTypeNode,
  isTypeReferenceNode,
  ModifierFlags,
  type Node,
  type SourceFile,
  SyntaxKind,
  type TypeLiteralNode,
} from "typescript/unstable/ast";
import {
  ElementFlags,
  type NodeHandle,
  ObjectFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type TemplateLiteralType,
  type Symbol as TsSymbol,
  type TupleType,
  type Type,
  TypeFlags,
  type TypeReference,
} from "typescript/unstable/sync";
import { nativePath } from "../../../../lib/paths/paths.ts";
import { findNode } from "./find-node.ts";
import type { TypeQuery } from "./query.ts";
import type {
  Declaration,
  Members,
  ObjectShape,
  PrimitiveKind,
  Property,
  Shape,
  TypeName,
  TypeRef,
} from "./shape.ts";
import {
  createLineTable,
  findComment,
  isOfNode,
  isPrintedMapped,
  mayBeMade,
  originOf,
} from "./source-text.ts";

/** Describes the types of one project. */
export class ProjectView {
  private readonly project: Project;
  private readonly own: (type: Type) => void;
  readonly seesNull: boolean;
  readonly isConfigured: boolean;
  private readonly files = new Map<string, { isLibrary: boolean; name: string }>();
  private readonly lines = new WeakMap<SourceFile, ReturnType<typeof createLineTable>>();

  constructor(project: Project, own: (type: Type) => void) {
    this.project = project;
    this.own = own;
    const { strictNullChecks, strict = true } = project.compilerOptions;
    this.seesNull = strictNullChecks ?? strict;
    this.isConfigured = existsSync(project.configFileName);
  }

  findNode(query: TypeQuery): Node | undefined {
    const file = this.project.program.getSourceFile(query.file);
    return file && findNode<Node>(file, query, isTypeNode);
  }

  typesAt(nodes: readonly Node[]): readonly (TypeRef | undefined)[] {
    const { checker } = this.project;
    const types = checker.getTypeAtLocation(nodes);
    // Without null checks, `[]` is an array of undefined until it is widened.
    const widened = this.seesNull ? types : types.map((type) => type && checker.getWidenedType(type));
    return widened.map((type) => type && this.ref(type));
  }

  shapeOf(type: Type): Shape {
    const { flags } = type;
    if (type.isErrorType()) return { kind: "error" };
    if (type.isUnionType() || type.isIntersectionType()) {
      const kind = type.isUnionType() ? "union" : "intersection";
      return { kind, members: this.refs(type.getTypes()), name: this.nameOf(type) };
    }
    if (type.isLiteralType() && !(flags & TypeFlags.BigIntLiteral)) return this.literalShape(type as never);
    const primitive = primitives.find(([flag]) => flags & flag);
    if (primitive) return { kind: primitive[1] };
    if (type.isTypeParameter()) return this.parameterShape(type);
    if (type.isSubstitutionType()) return this.shapeOf(this.seen(type.getBaseType()));
    if (type.isStringMappingType()) return this.mappingShape(type.getTarget());
    if (type.isTemplateLiteralType()) return this.templateShape(type);
    return type.isObjectType() ? this.objectShape(type) : { kind: "open" };
  }

  membersOf(type: Type): Members {
    const { checker } = this.project;
    const symbols = checker
      .getPropertiesOfType(type)
      .filter(({ escapedName }) => !escapedName.startsWith("__@"));
    const types = symbols.length > 0 ? checker.getTypeOfSymbol(symbols) : [];
    const isPlain = this.isPlain(type);
    const indexes = isPlain ? [] : checker.getIndexInfosOfType(type);
    return {
      properties: symbols.map((symbol, index) =>
        this.property(symbol, types[index] ?? checker.getUnknownType()),
      ),
      indexes: indexes.map(({ keyType, valueType }) => ({
        key: this.ref(keyType),
        value: this.ref(valueType),
      })),
      isCallable: !isPlain && this.isCallable(type),
      // Asked for lists only, which have numbers for keys.
      bases: indexes.some(({ keyType }) => keyType.flags & TypeFlags.Number) ? this.basesOf(type) : [],
    };
  }

  propertyOf(type: Type, name: string): TypeRef | undefined {
    const symbol = this.project.checker.getPropertyOfType(type, name);
    const found = symbol && this.project.checker.getTypeOfSymbol(symbol);
    return found && this.ref(found);
  }

  returnsOf(type: Type): readonly TypeRef[] {
    const { checker } = this.project;
    const signatures = checker.getSignaturesOfType(type, SignatureKind.Call);
    return this.refs(signatures.flatMap((signature) => checker.getReturnTypeOfSignature(signature) ?? []));
  }

  withoutNullish(type: Type): TypeRef {
    return this.ref(this.project.checker.getNonNullableType(type) ?? type);
  }

  private ref(type: Type): TypeRef {
    return this.seen(type) as unknown as TypeRef;
  }

  private refs(types: readonly Type[] = []): readonly TypeRef[] {
    return types.map((type) => this.ref(type));
  }

  private seen<T extends Type>(type: T): T {
    this.own(type);
    return type;
  }

  private literalShape(type: Type & { value: string | number | boolean }): Shape {
    if (!(type.flags & TypeFlags.EnumLiteral)) return { kind: "literal", value: type.value };
    const enumType = this.project.checker.getBaseTypeOfLiteralType(type);
    if (enumType?.isUnionType()) return { kind: "literal", value: type.value, enumType: this.ref(enumType) };
    const name = this.nameOfSymbol(type.getSymbol()?.getParent(), []);
    return { kind: "literal", value: type.value, name };
  }

  /** `this` of a class or an interface is that class or interface. Everything else is decided further out. */
  private parameterShape(type: Type & { readonly isThisType?: boolean | undefined }): Shape {
    const constraint = type.isThisType && this.project.checker.getBaseConstraintOfType(type);
    return constraint ? this.shapeOf(this.seen(constraint)) : { kind: "open" };
  }

  private mappingShape(target: Type): Shape {
    const isKnown = target.flags & (TypeFlags.StringLike | TypeFlags.Intrinsic);
    return { kind: isKnown ? "string" : "open" };
  }

  private templateShape(type: TemplateLiteralType): Shape {
    return { kind: "template", texts: type.texts, types: this.refs(type.getTypes()) };
  }

  private objectShape(type: Type & { readonly objectFlags: ObjectFlags }): Shape {
    if (type.isTypeReference()) {
      const target = type.getTarget();
      if (target.isTupleType()) return this.tupleShape(type, target);
      const element = this.elementOf(type);
      if (element) return { kind: "list", element: this.ref(element) };
    }
    const symbol = type.getSymbol();
    const made = madeOf(type, symbol);
    const name = this.nameOf(type);
    if (made === "mapped" && !name && this.isGenericMapped(type)) return { kind: "open" };
    return { kind: "object", made, name, place: this.declarationOf(symbol?.declarations[0]) };
  }

  /** Over the keys of a type parameter: has no properties of its own, and is printed as it was written. */
  private isGenericMapped(type: Type): boolean {
    return isPrintedMapped(this.project.checker.typeToString(type));
  }

  private elementOf(type: TypeReference): Type | undefined {
    const symbol = type.getSymbol();
    const isArray = symbol?.name === "Array" || symbol?.name === "ReadonlyArray";
    if (!isArray || !symbol.declarations.some(({ path }) => this.fileOf(path).isLibrary)) return undefined;
    return this.project.checker.getTypeArguments(type)[0];
  }

  /** The flags of the empty tuple are not sent. */
  private tupleShape(type: TypeReference, { elementFlags = [] }: Partial<TupleType>): Shape {
    const types = this.project.checker.getTypeArguments(type);
    const isOpen = elementFlags.some((flag) => flag & ElementFlags.Variadic);
    if (isOpen) return { kind: "open" };
    return {
      kind: "tuple",
      elements: elementFlags.map((flag, index) => ({
        type: this.ref(types[index]!),
        presence: flag & ElementFlags.Rest ? "rest" : flag & ElementFlags.Optional ? "optional" : "required",
      })),
    };
  }

  /** Written out, with properties and methods alone: the compiler need not be asked about the rest. */
  private isPlain(type: Type & { readonly objectFlags?: ObjectFlags }): boolean {
    if ((type.objectFlags ?? ObjectFlags.None) & ObjectFlags.Mapped) return false;
    const declarations = type.getSymbol()?.declarations ?? [];
    return declarations.length > 0 && declarations.every((handle) => this.isPlainDeclaration(handle));
  }

  private isPlainDeclaration(handle: NodeHandle): boolean {
    if (!writtenOut.has(handle.kind) || this.fileOf(handle.path).isLibrary) return false;
    const node = handle.resolve(this.project) as InterfaceDeclaration | TypeLiteralNode | undefined;
    if (!node || ("heritageClauses" in node && node.heritageClauses)) return false;
    return node.members.every(({ kind }) => !signatures.has(kind));
  }

  private isCallable(type: Type & { readonly objectFlags?: ObjectFlags }): boolean {
    const { checker } = this.project;
    if ((type.objectFlags ?? ObjectFlags.None) & ObjectFlags.Mapped) return false;
    if ((type.getSymbol()?.flags ?? SymbolFlags.None) & SymbolFlags.ObjectLiteral) return false;
    return [SignatureKind.Call, SignatureKind.Construct].some(
      (kind) => checker.getSignaturesOfType(type, kind).length > 0,
    );
  }

  private basesOf(type: Type): readonly TypeRef[] {
    const declared = type.isClassOrInterface() ? type : type.isTypeReference() ? type.getTarget() : undefined;
    return this.refs(declared?.getBaseTypes());
  }

  private nameOf(type: Type): TypeName | undefined {
    const alias = type.getAliasSymbol();
    if (alias) return this.nameOfSymbol(alias, type.getAliasTypeArguments());
    const isDeclared = type.isUnionType() || type.isTypeReference() || type.isClassOrInterface();
    if (!isDeclared) return undefined;
    const count = type.isTypeReference() ? (type.getTarget() as TupleType).getTypeParameters().length : 0;
    const given =
      count > 0 ? this.project.checker.getTypeArguments(type as TypeReference).slice(0, count) : [];
    return this.nameOfSymbol(type.getSymbol(), given);
  }

  private nameOfSymbol(symbol: TsSymbol | undefined, given: readonly Type[]): TypeName | undefined {
    const handle = firstOf(symbol?.declarations);
    if (!symbol || !handle || isInternal(symbol)) return undefined;
    const declaration = this.declarationOf(handle);
    if (!declaration) return undefined;
    const node = declaration.origin === "library" ? undefined : handle.resolve(this.project);
    const name = (symbol.name === "default" && declaredName(node)) || symbol.name;
    return { name, declaration, arguments: this.refs(given), ...scopeOf(node) };
  }

  private property(symbol: TsSymbol, type: Type): Property {
    const declaration = this.declarationOf(symbol.declarations[0]);
    return {
      name: symbol.name,
      type: this.ref(type),
      isOptional: (symbol.flags & SymbolFlags.Optional) !== 0 || this.isOfPrototype(symbol),
      role: declaration?.origin === "library" ? libraryRole(symbol) : this.roleOf(symbol),
      declaration,
      aliasComment: declaration?.origin === "project" ? this.aliasCommentOf(symbol) : undefined,
      madeBy: mayBeMade(declaration) ? this.makerOf(symbol) : undefined,
    };
  }

  /** The member of a library that a property is set to, or to what it returns. */
  private makerOf({ declarations: [handle] }: TsSymbol): string | undefined {
    const node = handle?.resolve(this.project) as (Node & { readonly initializer?: Node }) | undefined;
    const makers = new Set(partsOf(node?.initializer).map((part) => this.libraryMember(part)));
    return makers.size === 1 ? [...makers][0] : undefined;
  }

  private libraryMember(value: ValueNode): string | undefined {
    const member = (value.kind === SyntaxKind.CallExpression ? value.expression : value) as ValueNode;
    const name = member.kind === SyntaxKind.PropertyAccessExpression ? member.name : member;
    const found = name && this.project.checker.getSymbolAtLocation(name);
    const target =
      found && found.flags & SymbolFlags.Alias ? this.project.checker.getAliasedSymbol(found) : found;
    const [declared] = target?.declarations ?? [];
    const file = declared && this.fileOf(declared.path);
    return file && (file.isLibrary || isOfNode(file.name)) ? target?.name : undefined;
  }

  private aliasCommentOf({ declarations: [handle] }: TsSymbol): string | undefined {
    const node = handle?.resolve(this.project) as (Node & { readonly type?: Node }) | undefined;
    if (!node?.type || !isTypeReferenceNode(node.type) || node.type.typeArguments) return undefined;
    const { checker } = this.project;
    const symbol = checker.getSymbolAtLocation(node.type.typeName);
    const target = symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return target && target.flags & SymbolFlags.TypeAlias
      ? this.declarationOf(target.declarations[0])?.comment
      : undefined;
  }

  /** A getter of a class, even if a mapped type turns it into a property. Instances do not own it. */
  private isOfPrototype({ declarations: [handle] }: TsSymbol): boolean {
    return handle?.kind === SyntaxKind.GetAccessor && isClass(handle.resolve(this.project)?.parent);
  }

  private roleOf(symbol: TsSymbol): Property["role"] {
    if (symbol.escapedName.startsWith("__#")) return "hidden";
    const node = symbol.declarations[0]?.resolve(this.project);
    const isOfClass = isClass(node?.parent);
    if (symbol.flags & SymbolFlags.Method) return isOfClass ? "classMethod" : "method";
    if (symbol.flags & SymbolFlags.Accessor && (isOfClass || !(symbol.flags & SymbolFlags.GetAccessor)))
      return "accessor";
    const modifiers =
      node && "modifierFlags" in node ? (node.modifierFlags as ModifierFlags) : ModifierFlags.None;
    return modifiers & (ModifierFlags.Private | ModifierFlags.Protected) ? "hidden" : "field";
  }

  private declarationOf(handle: NodeHandle | undefined): Declaration | undefined {
    if (!handle) return undefined;
    const known = this.fileOf(handle.path);
    if (known.isLibrary) return { file: known.name, line: 1, column: 1, origin: "library", text: "" };
    const node = handle.resolve(this.project);
    if (!node) return undefined;
    const file = node.getSourceFile();
    const start = node.getStart();
    return {
      file: nativePath(file.fileName),
      ...this.linesOf(file)(start),
      origin: originOf(file.fileName, false),
      comment: findComment(file.text.slice(node.pos, start), node.pos === 0),
      text: file.text.slice(start, node.end),
    };
  }

  private linesOf(file: SourceFile) {
    const known = this.lines.get(file);
    if (known) return known;
    const table = createLineTable(file.text);
    this.lines.set(file, table);
    return table;
  }

  private fileOf(path: NodeHandle["path"]) {
    const known = this.files.get(path);
    if (known) return known;
    const { isDefaultLibrary = false } = this.project.program.getSourceFileMetadataByPath(path) ?? {};
    const file = { isLibrary: isDefaultLibrary, name: path };
    this.files.set(path, file);
    return file;
  }
}

const writtenOut: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeLiteral,
]);
const signatures: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.CallSignature,
  SyntaxKind.ConstructSignature,
  SyntaxKind.IndexSignature,
]);

/** The parts of an expression by which members and branches are reached. */
type ValueNode = Node & {
  readonly expression?: Node;
  readonly name?: Node;
  readonly whenTrue?: Node;
  readonly whenFalse?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly operatorToken?: Node;
};

/** The values that an expression may have, without null: those of `a ? b : null` and of `a ?? null`. */
function partsOf(node: Node | undefined): ValueNode[] {
  const value = node as ValueNode | undefined;
  if (!value || value.kind === SyntaxKind.NullKeyword) return [];
  if (value.kind === SyntaxKind.ConditionalExpression)
    return [...partsOf(value.whenTrue), ...partsOf(value.whenFalse)];
  if (value.operatorToken?.kind === SyntaxKind.QuestionQuestionToken)
    return [...partsOf(value.left), ...partsOf(value.right)];
  return [value];
}

const primitives: readonly (readonly [TypeFlags, PrimitiveKind])[] = [
  [TypeFlags.Any, "any"],
  [TypeFlags.Unknown, "unknown"],
  [TypeFlags.Never, "never"],
  [TypeFlags.Void, "void"],
  [TypeFlags.Undefined, "undefined"],
  [TypeFlags.Null, "null"],
  [TypeFlags.String, "string"],
  [TypeFlags.Number | TypeFlags.Enum, "number"],
  [TypeFlags.BigIntLike, "bigint"],
  [TypeFlags.ESSymbolLike, "symbol"],
  [TypeFlags.NonPrimitive, "nonPrimitive"],
];

function madeOf(
  type: Type & { readonly objectFlags: ObjectFlags },
  symbol: TsSymbol | undefined,
): ObjectShape["made"] {
  const flags = symbol?.flags ?? SymbolFlags.None;
  if (type.objectFlags & ObjectFlags.Mapped) return "mapped";
  if (type.objectFlags & (ObjectFlags.ClassOrInterface | ObjectFlags.Reference)) {
    return flags & SymbolFlags.Class ? "class" : "interface";
  }
  return flags & SymbolFlags.ObjectLiteral ? "literal" : "type";
}

/** Methods that a library declares are on the prototype. */
function libraryRole({ flags }: TsSymbol): Property["role"] {
  return flags & SymbolFlags.Method ? "classMethod" : "field";
}

/** Declarations that are merged from several files come in the order in which these were opened. */
function firstOf(handles: readonly NodeHandle[] | undefined): NodeHandle | undefined {
  return handles?.toSorted((one, other) => (one.path === other.path ? 0 : one.path < other.path ? -1 : 1))[0];
}

/** The compiler's names for what has none; a name that begins so in the source gets one more underscore. */
function isInternal({ escapedName }: TsSymbol): boolean {
  return /^__[^_]/.test(escapedName);
}

/** `Todo` of `export default interface Todo`. */
function declaredName(node: (Node & { readonly name?: Node }) | undefined): string | undefined {
  return node?.name?.getText();
}

function isClass(node: Node | undefined): boolean {
  return node?.kind === SyntaxKind.ClassDeclaration || node?.kind === SyntaxKind.ClassExpression;
}

function scopeOf(declaration: Node | undefined): { scope: readonly string[]; isLocal: boolean } {
  const scope: string[] = [];
  let isLocal = false;
  for (let node = declaration?.parent; node && node.kind !== SyntaxKind.SourceFile; node = node.parent) {
    if (node.kind === SyntaxKind.Block) isLocal = true;
    if (node.kind === SyntaxKind.ModuleDeclaration)
      scope.unshift((node as Node & { name: Node }).name.getText());
  }
  return { scope, isLocal };
}
