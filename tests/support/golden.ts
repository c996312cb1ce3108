import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { environmentValues } from "../../src/app/config/config.ts";
import {
  type AnalysisData,
  Describer,
  type ReadRoute,
  readRoute,
} from "../../src/features/docs/analysis/analyze.ts";
import {
  nextQuestions,
  queryKey,
  type TypeFacts,
} from "../../src/features/docs/analysis/facts/type-facts.ts";
import { Interpreter } from "../../src/features/docs/analysis/flow/interpreter.ts";
import {
  collectRoutes,
  isOwnFile,
  locateHandlers,
} from "../../src/features/docs/analysis/handlers/collect.ts";
import type { Reading } from "../../src/features/docs/analysis/handlers/find-handler.ts";
import {
  inspectTogether,
  listLoadedFiles,
  readScripts,
} from "../../src/features/docs/analysis/handlers/inspect.ts";
import type { LoadedScripts, Route } from "../../src/features/docs/analysis/handlers/route.ts";
import { isSameFunction } from "../../src/features/docs/analysis/handlers/same-function.ts";
import { ScriptPositions } from "../../src/features/docs/analysis/handlers/script-positions.ts";
import { findSecretTexts } from "../../src/features/docs/analysis/secrets/secret-texts.ts";
import { Closures } from "../../src/features/docs/analysis/source/closures.ts";
import { Marks } from "../../src/features/docs/analysis/source/marks.ts";
import { SourceFiles } from "../../src/features/docs/analysis/source/source-files.ts";
import type { TypeEngine, TypeFact } from "../../src/features/docs/analysis/types/query.ts";
import { findValidators } from "../../src/features/docs/analysis/validators/find-validators.ts";
import {
  createModuleReader,
  type ReadModule,
} from "../../src/features/docs/analysis/validators/loaded-files.ts";
import { readValidator } from "../../src/features/docs/analysis/validators/read-validator.ts";
import { createValidatorFact } from "../../src/features/docs/analysis/validators/validator-fact.ts";
import type { OpenAPIDocument } from "../../src/features/docs/model/openapi.ts";
import { createDocument } from "../../src/features/docs/openapi/document-writer.ts";
import { type Endpoint, toEndpointData } from "../../src/features/docs/registry/endpoint.ts";
import { APIVersionManager, type VersionedRouter } from "../../src/index.ts";
import type { SourceLocation } from "../../src/lib/source/source-location.ts";

export const goldenFolder = fileURLToPath(new URL("../golden/", import.meta.url));

export interface GoldenCase {
  /** `request/bind-body`. */
  readonly name: string;
  readonly folder: string;
}

export function listCases(): GoldenCase[] {
  return readdirSync(goldenFolder, { recursive: true, encoding: "utf8" })
    .filter((file) => basename(file) === "source.ts")
    .map((file) => ({ name: dirname(file), folder: join(goldenFolder, dirname(file)) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Registers the routes of all cases and reads their source. The running program is asked once, which takes a while. */
export async function readCases(cases: readonly GoldenCase[]): Promise<ReadCase[]> {
  const registered: RegisteredCase[] = [];
  for (const { folder } of cases) {
    const listed = readList(join(folder, "routes.json"));
    registered.push({ folder, listed, endpoints: await register(join(folder, "source.ts"), listed) });
  }
  return inspectTogether(() => {
    const loaded = [...listLoadedFiles().keys()].filter((path) => path.startsWith(goldenFolder));
    const scripts = readScripts(new Set(loaded));
    return registered.map((each) => readCase(each, scripts));
  });
}

interface RegisteredCase {
  readonly folder: string;
  readonly listed: ListedRoute[] | undefined;
  readonly endpoints: Map<string, Endpoint>;
}

function readCase({ folder, listed, endpoints }: RegisteredCase, scripts: LoadedScripts): ReadCase {
  const collected = collectRoutes(endpoints).map((route) =>
    listed ? placeByHand(route, folder, listed) : route,
  );
  const files = new SourceFiles();
  const machine = new Interpreter(files, isOwnFile);
  const isForeign = (path: string) => !path.startsWith(goldenFolder);
  const closures = new Closures(files, isForeign);
  const positions = new ScriptPositions(scripts, goldenFolder);
  const placed = listed ? [...collected] : positions.place(collected);
  const sources = placed.flatMap(({ registered }) => (registered ? [...closures.of(registered.file)] : []));
  const reading: Reading = {
    markedFile: new Marks(files, isForeign).find(sources),
    isRunning: (found, running) =>
      listed !== undefined ||
      isSameFunction(found, running, positions.textOf(found.file.path, found.node.start, found.node.end)),
  };
  const first = placed.map((route) => readRoute(machine, route, reading));
  const hidden = collected.filter((_, index) => first[index]!.isHidden && !listed);
  const located = new Map(
    positions.place(locateHandlers(hidden, endpoints)).map((route) => [route.key, route]),
  );
  const routes = first.map((read) => {
    const route = located.get(read.route.key);
    return route ? readRoute(machine, route, reading) : read;
  });
  for (const path of [...files.contents.keys()]) closures.of(path);
  return { endpoints, routes, files };
}

/** The texts that are secrets of the cases. The compiler takes them for one project. */
export function secretsIn(cases: readonly ReadCase[]): readonly string[] {
  return findSecretTexts(cases.flatMap(({ files }) => [...files.all()])).texts;
}

export interface ReadCase {
  readonly endpoints: Map<string, Endpoint>;
  readonly routes: ReadRoute[];
  readonly files: SourceFiles;
}

/** Method, path, and the name of the handler. */
type ListedRoute = [method: string, path: string, handler: string];

function readList(path: string): ListedRoute[] | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as ListedRoute[]) : undefined;
}

async function register(source: string, listed: ListedRoute[] | undefined): Promise<Map<string, Endpoint>> {
  const manager = new APIVersionManager({ defaultVersion: "v1" });
  manager.registerVersion("v1", { title: "Golden" });
  const own = listed
    ? undefined
    : ((await import(pathToFileURL(source).href)) as { routes: (router: VersionedRouter) => void }).routes;
  manager.setVersionRouteRegistrar("v1", own ?? ((router) => registerListed(router, listed!)));
  manager.registerAllVersionRoutesForDocs();
  const endpoints = manager.getVersionRegistry("v1").list();
  return new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));
}

function registerListed(router: VersionedRouter, listed: readonly ListedRoute[]): void {
  for (const [method, path, name] of listed) {
    const handler = { [name]: () => {} }[name]!;
    router[method.toLowerCase() as "get"](path, handler);
  }
}

/** Where Node would have said that the route was registered, or its handler begins, if it could load the file. */
function placeByHand(route: Route, folder: string, listed: readonly ListedRoute[]): Route {
  const [method, path, name] = listed.find(
    ([each, pattern]) => each === route.method && route.path.endsWith(pattern),
  )!;
  for (const file of readdirSync(folder).filter((each) => each.endsWith(".ts"))) {
    const text = readFileSync(join(folder, file), "utf8");
    const call = text.indexOf(`.${method.toLowerCase()}("${path}"`);
    if (call !== -1) return { ...route, registered: locationOf(join(folder, file), text, call + 1) };
  }
  for (const file of readdirSync(folder).filter((each) => each.endsWith(".ts"))) {
    const text = readFileSync(join(folder, file), "utf8");
    const start = text.indexOf(`function ${name}(`);
    if (start !== -1)
      return { ...route, registered: undefined, handler: locationOf(join(folder, file), text, start) };
  }
  throw new Error(`${folder} has no ${name}`);
}

function locationOf(file: string, text: string, offset: number): SourceLocation {
  const before = text.slice(0, offset).split("\n");
  return { file, line: before.length, column: before.at(-1)!.length + 1 };
}

export interface GoldenResult {
  readonly data: AnalysisData;
  readonly document: OpenAPIDocument;
}

/** Asks for the types of many cases at once, and makes their documents. */
export async function describeCases(cases: readonly ReadCase[], engine: TypeEngine): Promise<GoldenResult[]> {
  const readModule = createModuleReader();
  const handlers = cases.flatMap(({ routes }) => routes.flatMap(({ handler }) => handler ?? []));
  const known = new Map((await Promise.all(cases.map((each) => readValidators(each, readModule)))).flat());
  const types: TypeFacts = { isKnown: true, of: (query) => known.get(queryKey(query)) };
  const components = {};
  for (;;) {
    const asked = handlers.flatMap((handler) => nextQuestions(handler, types));
    if (asked.length === 0) break;
    const queries = [...new Map(asked.map((query) => [queryKey(query), query])).values()];
    const responses = engine.ask(queries);
    for (const [index, query] of queries.entries()) known.set(queryKey(query), responses.facts[index]!);
    Object.assign(components, responses.components);
  }
  return cases.map(({ endpoints, routes, files }) => {
    const places = {
      lineOf: (file: string, offset: number) => files.read(file)?.lineOf(offset) ?? 1,
      show: (file: string, line: number) => `${relative(goldenFolder, file)}:${line}`,
    };
    const data = new Describer(places).describe(routes, types, components);
    const config = new APIVersionManager();
    config.registerVersion("v1", { title: "Golden", version: "1.0.0" });
    const document = createDocument({
      config: config.getVersionConfig("v1"),
      endpoints: [...endpoints.values()].map((each) => toEndpointData(each, `${each.method} ${each.path}`)),
      findings: { ...data, level: "exact" },
      servers: [{ url: "https://example.com" }],
    });
    return { data, document };
  });
}

/** The schemas of validators that the case really holds, by question. */
async function readValidators(
  { routes, files, endpoints }: ReadCase,
  readModule: ReadModule,
): Promise<[string, TypeFact][]> {
  const wanted = routes.flatMap(({ route, handler }) =>
    handler ? findValidators(files, route.key, handler) : [],
  );
  const { isSecretAtRunTime } = findSecretTexts(files.all(), environmentValues());
  const schemas = await Promise.all(
    wanted.map(({ reference, route }) => readValidator(reference, endpoints.get(route)!.handler, readModule)),
  );
  return wanted.flatMap(({ place }, index) => {
    const schema = schemas[index];
    return schema
      ? [[queryKey({ ...place, kind: "input" }), createValidatorFact(schema, isSecretAtRunTime)]]
      : [];
  });
}
