import { readFileSync } from "node:fs";
import { messageOf } from "../../../../lib/thrown.ts";
import { matchTexts } from "../secrets/match-texts.ts";
import { createFact, type FactParts, type NamedPlace } from "./facts.ts";
import { remember } from "./memory.ts";
import { createProblem } from "./problems.ts";
import type { IsSecret, TypeEngine, TypeEngineOptions, TypeFact, TypeQuery, TypeResults } from "./query.ts";
import { createComponents } from "./schema/components.ts";
import { createNaming } from "./schema/naming.ts";
import type { Compiler, Place, TypeRef } from "./shape.ts";
import { createLineTable, declaresGlobals } from "./source-text.ts";

/** Resolves queries with a compiler. Results are cached until the next refresh. */
export function createEngine(compiler: Compiler, { root, secrets = [] }: EngineOptions): TypeEngine {
  let isSecret = matchTexts(secrets);
  let parts = createParts(compiler, root, isSecret);
  let ambientFiles: readonly string[] | undefined;

  function ask(queries: readonly TypeQuery[]): TypeResults {
    if (compiler.open(queries.map(({ file }) => file))) forget();
    const placeOf = createPlaces();
    const types = findTypes(compiler, queries);
    const facts = queries.map((query, index) =>
      guard(compiler, placeOf(query), () => {
        const type = types[index]!();
        return type ? createFact(parts, query, type, placeOf(query)) : unknownPlace(query, placeOf(query));
      }),
    );
    ambientFiles ??= findAmbientFiles(compiler);
    const components = parts.components.rawComponents(facts.flatMap((fact) => fact.components));
    return { facts, components, ambientFiles };
  }

  function refresh(changed: readonly string[]): void {
    try {
      compiler.refresh(changed);
    } catch (error) {
      throw compiler.isAlive() ? error : goneError(error);
    }
    forget();
  }

  function forget(): void {
    parts = createParts(compiler, root, isSecret);
    ambientFiles = undefined;
  }

  function conceal(texts: readonly string[]): void {
    isSecret = matchTexts(texts);
    parts = createParts(compiler, root, isSecret);
  }

  return { ask, conceal, refresh, close: () => compiler.close() };
}

type EngineOptions = Pick<TypeEngineOptions, "root" | "secrets">;

function createParts(compiler: Compiler, root: string, isSecret: IsSecret): FactParts {
  const remembering = remember(compiler);
  const naming = createNaming(remembering, root, isSecret);
  const parts = { compiler: remembering, naming, isSecret };
  return { ...parts, components: createComponents(parts) };
}

/** Fetches all types in one call. If that fails, each type is fetched when it is needed, so that one failure affects one query. */
function findTypes(
  compiler: Compiler,
  queries: readonly TypeQuery[],
): readonly (() => TypeRef | undefined)[] {
  try {
    return compiler.typesAt(queries).map((type) => () => type);
  } catch {
    return queries.map((query) => () => compiler.typesAt([query])[0]);
  }
}

/** If the compiler fails on one type, only that query fails. If it has exited, all do. */
function guard(compiler: Compiler, place: Place, createOne: () => TypeFact): TypeFact {
  try {
    return createOne();
  } catch (error) {
    if (!compiler.isAlive()) throw goneError(error);
    const problem = createProblem("TYPE_ENGINE_FAILED", messageOf(error), place);
    return { components: [], problems: [problem] };
  }
}

function goneError(cause: unknown): Error {
  return new Error("The compiler has exited. Open it again to send more queries.", { cause });
}

function unknownPlace({ kind }: TypeQuery, place: Place): TypeFact {
  const sought = kind === "type" ? "type" : "expression";
  return { components: [], problems: [createProblem("TYPE_PLACE_UNKNOWN", sought, place)] };
}

/** Where queries are, for people, and the last name that is written there. */
function createPlaces(): (query: TypeQuery) => NamedPlace {
  const sources = new Map<string, { text: string; table: ReturnType<typeof createLineTable> }>();
  const open = (file: string) => {
    const text = readText(file) ?? "";
    return { text, table: createLineTable(text) };
  };
  return ({ file, start, end }) => {
    const source = sources.get(file) ?? open(file);
    sources.set(file, source);
    const [lastName = ""] = /[\p{L}\p{N}_$]+$/u.exec(source.text.slice(start, end)) ?? [];
    return { file, ...source.table(start), lastName };
  };
}

function findAmbientFiles(compiler: Compiler): readonly string[] {
  const files = compiler.ownFiles().filter((file) => declaresGlobals(readText(file) ?? "export"));
  return [...new Set(files)].sort();
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
