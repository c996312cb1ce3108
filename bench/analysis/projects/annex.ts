import { type Files, toJson } from "./files.ts";
import { createResources, handlerName, operations, type Resource } from "./resource.ts";
import { serverSource } from "./server.ts";
import { pageSource, typesSource } from "./types.ts";

/** A folder of the application, with four files for two resources: their handlers are in one of them. */
interface Folder {
  readonly name: string;
  readonly resources: readonly Resource[];
}

const resourcesPerFolder = 2;

/** An application of Annex with so many handlers, twenty in a file, and shared helpers. */
export function createAnnexProject(handlers: number): Files {
  const folders = createFolders(handlers);
  return {
    "package.json": toJson({ name: "bench-of-analysis", private: true, type: "module" }),
    "tsconfig.json": toJson({ compilerOptions, include: ["**/*.ts"] }),
    "main.ts": serverSource,
    "versions.ts": versionsSource(folders),
    "shared/page.ts": pageSource,
    "shared/paging.ts": pagingSource,
    "shared/missing.ts": missingSource,
    ...Object.assign({}, ...folders.map((folder) => folderFiles(folder, folders))),
  };
}

/** The file that is edited while the application runs, and the query parameter that gets another name there. */
export const editedFile = (handlers: number) => `${createFolders(handlers)[0]!.name}/handlers.ts`;
export const editedName = "search";

const compilerOptions = {
  target: "es2024",
  module: "nodenext",
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  types: ["node"],
};

function createFolders(handlers: number): Folder[] {
  const resources = createResources(handlers);
  const count = Math.ceil(resources.length / resourcesPerFolder);
  return Array.from({ length: count }, (_, index) => {
    const own = resources.slice(index * resourcesPerFolder, (index + 1) * resourcesPerFolder);
    return { name: own[0]!.path, resources: own };
  });
}

function folderFiles(folder: Folder, folders: readonly Folder[]): Files {
  const write = (source: (resource: Resource) => string) => folder.resources.map(source).join("\n");
  return {
    [`${folder.name}/types.ts`]: `${neighbourImports(folder, folders)}${write(typesSource)}`,
    [`${folder.name}/service.ts`]: `import { Missing } from "../shared/missing.ts";
${typesImport(folder, ["Changes", "Event", "Relation", "Status"])}
${write(serviceSource)}`,
    [`${folder.name}/handlers.ts`]: `// API_SOURCE
import type { RequestEvent } from "annex";
import { readCount, readPaging, toPage, wrap } from "../shared/paging.ts";
import { ${folder.resources.map(({ name }) => `${name}Service`).join(", ")} } from "./service.ts";
${typesImport(folder, ["Changes", "Relation", "Search", "Status", "Summary"])}
const kinds = ["created", "changed", "closed"] as const;

${write(handlersSource)}`,
    [`${folder.name}/routes.ts`]: `import type { Router } from "annex";
import * as handlers from "./handlers.ts";

${write(routesSource)}`,
  };
}

/** The types of the folder that all its files use, and others of each resource by the ends of their names. */
function typesImport({ resources }: Folder, ends: readonly string[]): string {
  const names = resources.flatMap(({ name }) => [`New${name}`, name, ...ends.map((end) => `${name}${end}`)]);
  return `import type { ${names.join(", ")} } from "./types.ts";\n`;
}

function neighbourImports({ name, resources }: Folder, folders: readonly Folder[]): string {
  const imports = resources.flatMap(({ neighbour }) => {
    const home = folders.find((folder) => folder.resources.some((each) => each.name === neighbour))!;
    return home.name === name
      ? []
      : [`import type { ${neighbour}Reference } from "../${home.name}/types.ts";\n\n`];
  });
  return imports.join("");
}

const pagingSource = `import type { RequestEvent } from "annex";
import type { Envelope, Page, Paging } from "./page.ts";

export function readPaging(e: RequestEvent<never>): Paging {
  return { page: readCount(e, "page", 1), perPage: readCount(e, "perPage", 30) };
}

export function readCount(e: RequestEvent<never>, name: string, fallback: number): number {
  return Number(e.query(name) ?? fallback);
}

export function toPage<T>(items: T[], { page, perPage }: Paging): Page<T> {
  return { items: items.slice((page - 1) * perPage, page * perPage), page, perPage, totalItems: items.length };
}

export function wrap<T>(data: T): Envelope<T> {
  return { data, meta: { madeAt: new Date().toISOString(), took: performance.now() } };
}
`;

const missingSource = `import { ApiError } from "annex";

export class Missing extends ApiError {
  constructor(what: string, id: string) {
    super(404, \`There is no \${what} \${id}.\`);
  }
}
`;

function serviceSource({ name, path }: Resource): string {
  return `export class ${name}Service {
  private readonly all = new Map<string, ${name}>();

  list(status?: string): ${name}[] {
    return [...this.all.values()].filter((each) => status === undefined || each.status === status);
  }

  find(id: string): ${name} {
    const found = this.all.get(id);
    if (!found) throw new Missing("${path}", id);
    return found;
  }

  create(given: New${name}): ${name} {
    const made: ${name} = {
      ...given,
      id: String(this.all.size),
      status: "draft",
      created: new Date().toISOString(),
      related: null,
    };
    this.all.set(made.id, made);
    return made;
  }

  update(id: string, changes: ${name}Changes): ${name} {
    return Object.assign(this.find(id), changes);
  }

  remove(id: string): void {
    this.all.delete(this.find(id).id);
  }

  setStatus(id: string, status: ${name}Status): ${name} {
    return Object.assign(this.find(id), { status });
  }

  relate(id: string, { target }: ${name}Relation): ${name} {
    return Object.assign(this.find(id), { related: target });
  }

  eventsOf(id: string): ${name}Event[] {
    return [{ type: "created", at: this.find(id).created, by: "${path}" }];
  }
}
`;
}

function handlersSource(resource: Resource): string {
  const { name, path } = resource;
  const service = `${path}Service`;
  const heading = (what: string) => `// API_DESC ${what}\n// API_TAGS ${path}\n`;
  return `const ${service} = new ${name}Service();

${heading(`Lists ${path}s.`)}export function ${handlerName("list", resource)}(e: RequestEvent) {
  const status = e.query("status");
  const words = e.query("${editedName}") ?? "";
  const found = ${service}.list(status).filter((each) => JSON.stringify(each).includes(words));
  return e.json(200, toPage(found, readPaging(e)));
}

${heading(`Adds a ${path}.`)}export async function ${handlerName("create", resource)}(e: RequestEvent) {
  return e.json(201, ${service}.create(await e.bindBody<New${name}>()));
}

${heading(`Counts ${path}s.`)}export function ${handlerName("summarise", resource)}(e: RequestEvent) {
  const all = ${service}.list();
  const count = (status: ${name}Status) => all.filter((each) => each.status === status).length;
  const summary: ${name}Summary = {
    total: all.length,
    byStatus: { draft: count("draft"), active: count("active"), closed: count("closed") },
    newest: all.at(-1) ?? null,
  };
  return e.json(200, wrap(summary));
}

${heading(`Searches ${path}s.`)}export function ${handlerName("search", resource)}(e: RequestEvent) {
  const limit = readCount(e, "limit", 10);
  const response: ${name}Search =
    limit > 100 ? { state: "pending", retryAfter: 5 } : { state: "ready", found: ${service}.list().slice(0, limit) };
  return e.json(200, response);
}

${heading(`Tells one ${path}.`)}export function ${handlerName("get", resource)}(e: RequestEvent<"id">) {
  return e.json(200, ${service}.find(e.pathValue("id")));
}

${heading(`Changes a ${path}.`)}export async function ${handlerName("update", resource)}(e: RequestEvent<"id">) {
  const changes = await e.bindBody<${name}Changes>();
  return e.json(200, ${service}.update(e.pathValue("id"), changes));
}

${heading(`Removes a ${path}.`)}export function ${handlerName("remove", resource)}(e: RequestEvent<"id">) {
  ${service}.remove(e.pathValue("id"));
  return e.noContent();
}

${heading(`Moves a ${path} on.`)}export async function ${handlerName("setStatus", resource)}(e: RequestEvent<"id">) {
  const { status } = await e.bindBody<{ status: ${name}Status; reason?: string }>();
  const now: ${name} = ${service}.find(e.pathValue("id"));
  if (now.status === "closed") throw e.error(409, "It is closed.");
  return e.json(200, ${service}.setStatus(now.id, status));
}

${heading(`Tells what happened to a ${path}.`)}export function ${handlerName("listEvents", resource)}(e: RequestEvent<"id">) {
  const kind = e.query("kind") ?? "created";
  if (!kinds.includes(kind as (typeof kinds)[number])) throw e.error(400, "There is no such kind.");
  const events = ${service}.eventsOf(e.pathValue("id")).filter((event) => event.type === kind);
  return e.json(200, toPage(events, { page: 1, perPage: readCount(e, "limit", 100) }));
}

${heading(`Relates a ${path} to another thing.`)}export async function ${handlerName("relate", resource)}(e: RequestEvent<"id">) {
  const relation = await e.bindBody<${name}Relation>();
  return e.json(201, wrap(${service}.relate(e.pathValue("id"), relation)));
}
`;
}

function routesSource(resource: Resource): string {
  const routes = operations.map(
    ({ method, path, name }) =>
      `  api.${method}("/${resource.path}${path}", handlers.${handlerName(name, resource)});`,
  );
  return `export function register${resource.name}(api: Router): void {
${routes.join("\n")}
}
`;
}

function versionsSource(folders: readonly Folder[]): string {
  const imports = folders.map(({ name, resources }) => {
    const names = resources.map((resource) => `register${resource.name}`).join(", ");
    return `import { ${names} } from "./${name}/routes.ts";`;
  });
  const calls = folders.flatMap(({ resources }) => resources.map(({ name }) => `  register${name}(api);`));
  return `import { APIVersionManager } from "annex";
${imports.join("\n")}

export const versions = new APIVersionManager();
versions.registerVersion("v1", { title: "Bench", publicSwagger: true });
versions.setVersionRouteRegistrar("v1", (router) => {
  const api = router.setPrefix("/api/v1");
${calls.join("\n")}
});
`;
}
