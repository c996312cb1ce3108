import { dirname } from "node:path";
import ts from "typescript-6";
import { isInPackage } from "../../../../../lib/paths/paths.ts";
import { createEngine } from "../engine.ts";
import { findNode } from "../find-node.ts";
import type { TypeEngine, TypeEngineOptions, TypeQuery } from "../query.ts";
import type {
  Compiler,
  Declaration,
  Members,
  ObjectShape,
  PrimitiveKind,
  Property,
  Shape,
  TypeName,
  TypeRef,
} from "../shape.ts";
import { findComment, isOfNode, isPrintedMapped, mayBeMade, originOf } from "../source-text.ts";

/** TypeScript 6 in this process: slow to start, and used to verify the results of TypeScript 7. */
export function openTs6(options: TypeEngineOptions): TypeEngine {
  return createEngine(new Ts6Compiler(options), options);
}

class Ts6Compiler implements Compiler {
  private options: TypeEngineOptions;
  private program: ts.Program;
  private checker: ts.TypeChecker;

  constructor(options: TypeEngineOptions) {
    this.options = options;
    this.program = createProgram(options);
    this.checker = this.program.getTypeChecker();
  }

  /** The tests only query files that it was created with. */
  open = () => false;

  typesAt(queries: readonly TypeQuery[]): readonly (TypeRef | undefined)[] {
    return queries.map((query) => {
      const file = this.program.getSourceFile(query.file);
      const node = file && findNode<ts.Node>(file, query, ts.isTypeNode);
      return node && ref(this.widen(this.checker.getTypeAtLocation(node)));
    });
  }

  shapeOf = (type: TypeRef): Shape => this.describe(type as never);

  membersOf(ref_: TypeRef): Members {
    const type = ref_ as unknown as ts.Type;
    const symbols = type.getProperties().filter(({ escapedName }) => !String(escapedName).startsWith("__@"));
    return {
      properties: symbols.map((symbol) => this.property(symbol)),
      indexes: this.checker
        .getIndexInfosOfType(type)
        .map(({ keyType, type: value }) => ({ key: ref(keyType), value: ref(value) })),
      isCallable: type.getCallSignatures().length + type.getConstructSignatures().length > 0,
      bases: type.getNumberIndexType() ? this.basesOf(type) : [],
    };
  }

  propertyOf(type: TypeRef, name: string): TypeRef | undefined {
    const symbol = (type as unknown as ts.Type).getProperty(name);
    return symbol && ref(this.checker.getTypeOfSymbol(symbol));
  }

  returnsOf(type: TypeRef): readonly TypeRef[] {
    return (type as unknown as ts.Type)
      .getCallSignatures()
      .map((signature) => ref(signature.getReturnType()));
  }

  withoutNullish = (type: TypeRef): TypeRef => ref(this.checker.getNonNullableType(type as never));

  ownFiles(): readonly string[] {
    return this.program
      .getSourceFiles()
      .map(({ fileName }) => fileName)
      .filter((file) => !isInPackage(file));
  }

  seesNull(): boolean {
    const { strictNullChecks, strict = true } = this.program.getCompilerOptions();
    return strictNullChecks ?? strict;
  }

  isConfigured = () => true;
  isAlive = () => true;

  refresh(changed: readonly string[]): void {
    this.options = { ...this.options, files: [...this.options.files, ...changed] };
    this.program = createProgram(this.options);
    this.checker = this.program.getTypeChecker();
  }

  close(): void {}

  private widen(type: ts.Type): ts.Type {
    const checker = this.checker as ts.TypeChecker & { getWidenedType(type: ts.Type): ts.Type };
    return this.seesNull() ? type : checker.getWidenedType(type);
  }

  private describe(type: ts.Type): Shape {
    const { flags } = type;
    if ((type as { intrinsicName?: string }).intrinsicName === "error") return { kind: "error" };
    if (type.isUnionOrIntersection()) {
      return {
        kind: type.isUnion() ? "union" : "intersection",
        members: refs(type.types),
        name: this.nameOf(type),
      };
    }
    if (flags & ts.TypeFlags.BooleanLiteral) {
      return { kind: "literal", value: (type as { intrinsicName?: string }).intrinsicName === "true" };
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) return this.literalShape(type);
    const primitive = primitives.find(([flag]) => flags & flag);
    if (primitive) return { kind: primitive[1] };
    if (type.isTypeParameter()) return this.parameterShape(type);
    if (flags & ts.TypeFlags.Substitution) return this.describe((type as ts.SubstitutionType).baseType);
    if (flags & ts.TypeFlags.StringMapping) {
      const target = (type as ts.StringMappingType).type;
      const isKnown = target.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Number | ts.TypeFlags.BigInt);
      return { kind: isKnown ? "string" : "open" };
    }
    if (flags & ts.TypeFlags.TemplateLiteral) {
      const { texts, types } = type as ts.TemplateLiteralType;
      return { kind: "template", texts, types: refs(types) };
    }
    return flags & ts.TypeFlags.Object ? this.objectShape(type as ts.ObjectType) : { kind: "open" };
  }

  private literalShape(type: ts.StringLiteralType | ts.NumberLiteralType): Shape {
    if (!(type.flags & ts.TypeFlags.EnumLiteral)) return { kind: "literal", value: type.value };
    const enumType = this.checker.getBaseTypeOfLiteralType(type);
    if (enumType.isUnion()) return { kind: "literal", value: type.value, enumType: ref(enumType) };
    return { kind: "literal", value: type.value, name: this.nameOfSymbol(parentOf(type.symbol), []) };
  }

  private parameterShape(type: ts.TypeParameter & { isThisType?: boolean }): Shape {
    const constraint = type.isThisType && this.checker.getBaseConstraintOfType(type);
    return constraint ? this.describe(constraint) : { kind: "open" };
  }

  private objectShape(type: ts.ObjectType): Shape {
    if (this.checker.isTupleType(type)) return this.tupleShape(type as ts.TupleTypeReference);
    if (this.checker.isArrayType(type)) {
      return { kind: "list", element: ref(this.checker.getTypeArguments(type as ts.TypeReference)[0]!) };
    }
    const [place] = type.symbol?.declarations ?? [];
    const made = madeOf(type);
    const name = this.nameOf(type);
    if (made === "mapped" && !name && isPrintedMapped(this.checker.typeToString(type)))
      return { kind: "open" };
    return { kind: "object", made, name, place: place && this.declarationOf(place) };
  }

  private tupleShape(type: ts.TupleTypeReference): Shape {
    const types = this.checker.getTypeArguments(type);
    const { elementFlags } = type.target;
    if (elementFlags.some((flag) => flag & ts.ElementFlags.Variadic)) return { kind: "open" };
    return {
      kind: "tuple",
      elements: elementFlags.map((flag, index) => ({
        type: ref(types[index]!),
        presence:
          flag & ts.ElementFlags.Rest ? "rest" : flag & ts.ElementFlags.Optional ? "optional" : "required",
      })),
    };
  }

  private basesOf(type: ts.Type): readonly TypeRef[] {
    const declared = isReference(type) ? type.target : type;
    return declared.isClassOrInterface() ? refs(this.checker.getBaseTypes(declared)) : [];
  }

  private nameOf(type: ts.Type): TypeName | undefined {
    if (type.aliasSymbol) return this.nameOfSymbol(type.aliasSymbol, type.aliasTypeArguments ?? []);
    if (!type.isUnion() && !isReference(type) && !type.isClassOrInterface()) return undefined;
    const count = isReference(type) ? (type.target.typeParameters?.length ?? 0) : 0;
    const given = isReference(type) ? this.checker.getTypeArguments(type).slice(0, count) : [];
    return this.nameOfSymbol(type.symbol, given);
  }

  private nameOfSymbol(symbol: ts.Symbol | undefined, given: readonly ts.Type[]): TypeName | undefined {
    const node = symbol?.declarations?.toSorted((one, other) => compare(fileOf(one), fileOf(other)))[0];
    if (!symbol || !node || isInternal(symbol)) return undefined;
    return {
      name: (symbol.name === "default" && (node as ts.NamedDeclaration).name?.getText()) || symbol.name,
      declaration: this.declarationOf(node),
      arguments: refs(given),
      ...scopeOf(node),
    };
  }

  private property(symbol: ts.Symbol): Property {
    const [node] = symbol.declarations ?? [];
    const declaration = node && this.declarationOf(node);
    const isMethod = symbol.flags & ts.SymbolFlags.Method;
    return {
      name: symbol.name,
      type: ref(this.checker.getTypeOfSymbol(symbol)),
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0 || isOfPrototype(node),
      role: declaration?.origin === "library" ? (isMethod ? "classMethod" : "field") : roleOf(symbol, node),
      declaration,
      aliasComment: declaration?.origin === "project" ? this.aliasCommentOf(node) : undefined,
      madeBy: mayBeMade(declaration) ? this.makerOf(node) : undefined,
    };
  }

  private makerOf(node: ts.Node | undefined): string | undefined {
    const value = node && "initializer" in node ? (node.initializer as ts.Node | undefined) : undefined;
    const makers = new Set(partsOf(value).map((part) => this.libraryMember(part)));
    return makers.size === 1 ? [...makers][0] : undefined;
  }

  private libraryMember(value: ts.Node): string | undefined {
    const member = ts.isCallExpression(value) ? value.expression : value;
    const name = ts.isPropertyAccessExpression(member) ? member.name : member;
    const found = this.checker.getSymbolAtLocation(name);
    const target = found && found.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found;
    const file = target?.declarations?.[0]?.getSourceFile();
    const isBrought = file && (this.program.isSourceFileDefaultLibrary(file) || isOfNode(file.fileName));
    return isBrought ? target?.name : undefined;
  }

  private aliasCommentOf(node: ts.Node | undefined): string | undefined {
    const annotation = node && "type" in node ? (node.type as ts.Node | undefined) : undefined;
    if (!annotation || !ts.isTypeReferenceNode(annotation) || annotation.typeArguments) return undefined;
    const symbol = this.checker.getSymbolAtLocation(annotation.typeName);
    const target =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    const [declaration] =
      target && target.flags & ts.SymbolFlags.TypeAlias ? (target.declarations ?? []) : [];
    return declaration && this.declarationOf(declaration).comment;
  }

  private declarationOf(node: ts.Node): Declaration {
    const file = node.getSourceFile();
    if (this.program.isSourceFileDefaultLibrary(file)) {
      return { file: file.fileName, line: 1, column: 1, origin: "library", text: "" };
    }
    const start = node.getStart();
    const { line, character } = file.getLineAndCharacterOfPosition(start);
    return {
      file: file.fileName,
      line: line + 1,
      column: character + 1,
      origin: originOf(file.fileName, false),
      comment: findComment(file.text.slice(node.pos, start), node.pos === 0),
      text: file.text.slice(start, node.end),
    };
  }
}

const primitives: readonly (readonly [ts.TypeFlags, PrimitiveKind])[] = [
  [ts.TypeFlags.Any, "any"],
  [ts.TypeFlags.Unknown, "unknown"],
  [ts.TypeFlags.Never, "never"],
  [ts.TypeFlags.Void, "void"],
  [ts.TypeFlags.Undefined, "undefined"],
  [ts.TypeFlags.Null, "null"],
  [ts.TypeFlags.String, "string"],
  [ts.TypeFlags.Number | ts.TypeFlags.Enum, "number"],
  [ts.TypeFlags.BigIntLike, "bigint"],
  [ts.TypeFlags.ESSymbolLike, "symbol"],
  [ts.TypeFlags.NonPrimitive, "nonPrimitive"],
];

/** With TypeScript 7's order of union members. */
function createProgram({ tsconfig, files }: TypeEngineOptions): ts.Program {
  const read = tsconfig
    ? ts.readConfigFile(tsconfig, ts.sys.readFile).config
    : { compilerOptions: { strict: true } };
  const parsed = ts.parseJsonConfigFileContent(read, ts.sys, dirname(tsconfig ?? files[0]!));
  const rootNames = [...new Set([...(tsconfig ? parsed.fileNames : []), ...files])].filter(ts.sys.fileExists);
  const options = { ...parsed.options, stableTypeOrdering: true };
  return ts.createProgram({ rootNames, options, host: createHost(options) });
}

/** Parsed files of the standard library. Parsing them takes longer than all else in most tests. */
const libraryFiles = new Map<string, ts.SourceFile | undefined>();

function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const library = dirname(host.getDefaultLibFileName(options));
  const settings = JSON.stringify({ ...options, configFilePath: undefined });
  return {
    ...host,
    getSourceFile(path, version, ...rest) {
      const key = `${path} ${settings}`;
      if (libraryFiles.has(key)) return libraryFiles.get(key);
      const file = host.getSourceFile(path, version, ...rest);
      if (path.startsWith(library)) libraryFiles.set(key, file);
      return file;
    },
  };
}

const ref = (type: ts.Type) => type as unknown as TypeRef;
const refs = (types: readonly ts.Type[]) => types.map(ref);
const fileOf = (node: ts.Node) => node.getSourceFile().fileName;
const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);
const isInternal = (symbol: ts.Symbol) => /^__[^_]/.test(String(symbol.escapedName));
const parentOf = (symbol: ts.Symbol) => (symbol as ts.Symbol & { parent?: ts.Symbol }).parent;

function isReference(type: ts.Type): type is ts.TypeReference {
  return ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0;
}

function madeOf(type: ts.ObjectType): ObjectShape["made"] {
  const flags = type.symbol?.flags ?? 0;
  if (type.objectFlags & ts.ObjectFlags.Mapped) return "mapped";
  if (type.objectFlags & (ts.ObjectFlags.ClassOrInterface | ts.ObjectFlags.Reference)) {
    return flags & ts.SymbolFlags.Class ? "class" : "interface";
  }
  return flags & ts.SymbolFlags.ObjectLiteral ? "literal" : "type";
}

function roleOf(symbol: ts.Symbol, node: ts.Declaration | undefined): Property["role"] {
  if (String(symbol.escapedName).startsWith("__#")) return "hidden";
  const isOfClass = node !== undefined && ts.isClassLike(node.parent);
  if (symbol.flags & ts.SymbolFlags.Method) return isOfClass ? "classMethod" : "method";
  const isReadable = symbol.flags & ts.SymbolFlags.GetAccessor;
  if (symbol.flags & ts.SymbolFlags.Accessor && (isOfClass || !isReadable)) return "accessor";
  const modifiers = node ? ts.getCombinedModifierFlags(node) : ts.ModifierFlags.None;
  return modifiers & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected) ? "hidden" : "field";
}

function isOfPrototype(node: ts.Node | undefined): boolean {
  return node !== undefined && ts.isGetAccessor(node) && ts.isClassLike(node.parent);
}

function scopeOf(declaration: ts.Node): { scope: readonly string[]; isLocal: boolean } {
  const scope: string[] = [];
  let isLocal = false;
  for (let node = declaration.parent; node && !ts.isSourceFile(node); node = node.parent) {
    if (ts.isBlock(node)) isLocal = true;
    if (ts.isModuleDeclaration(node)) scope.unshift(node.name.getText());
  }
  return { scope, isLocal };
}

function partsOf(node: ts.Node | undefined): ts.Node[] {
  if (!node || node.kind === ts.SyntaxKind.NullKeyword) return [];
  if (ts.isConditionalExpression(node)) return [...partsOf(node.whenTrue), ...partsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return [...partsOf(node.left), ...partsOf(node.right)];
  return [node];
}
