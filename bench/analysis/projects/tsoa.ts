import { type Files, toJson } from "./files.ts";
import { createResources, type Resource } from "./resource.ts";
import { pageSource, typesSource } from "./types.ts";

/** The same API for tsoa: controllers whose decorators say what cannot be read off a signature, such as a 404. */
export function createTsoaProject(handlers: number): Files {
  const resources = createResources(handlers);
  return {
    "package.json": toJson({ private: true, type: "commonjs" }),
    "tsconfig.json": toJson({ compilerOptions, include: ["**/*.ts"] }),
    "tsoa.json": toJson(configuration),
    "app.ts": resources
      .map(({ name, path }) => `export { ${name}Controller } from "./${path}/controller";\n`)
      .join(""),
    "shared/page.ts": pageSource,
    "shared/problem.ts": "export interface Problem {\n  status: number;\n  message: string;\n}\n",
    ...Object.assign({}, ...resources.map(resourceFiles)),
  };
}

const compilerOptions = {
  target: "es2022",
  module: "commonjs",
  strict: true,
  noEmit: true,
  experimentalDecorators: true,
  skipLibCheck: true,
  types: ["node"],
};

const configuration = {
  entryFile: "app.ts",
  noImplicitAdditionalProperties: "throw-on-extras",
  controllerPathGlobs: ["*/controller.ts"],
  spec: { outputDirectory: ".", specFileBaseName: "openapi", specVersion: 3, basePath: "/api/v1" },
};

function resourceFiles(resource: Resource): Files {
  const { neighbour } = resource;
  const imports = `import type { ${neighbour}Reference } from "../${neighbour.toLowerCase()}/types";\n\n`;
  return {
    [`${resource.path}/types.ts`]: imports + typesSource(resource),
    [`${resource.path}/controller.ts`]: controllerSource(resource),
  };
}

function controllerSource({ name, path }: Resource): string {
  const missing = '@Response<Problem>(404, "It is not there.")';
  return `import { Body, Controller, Delete, Get, Patch, Path, Post, Put, Query, Response, Route, SuccessResponse, Tags } from "tsoa";
import type { Envelope, Page } from "../shared/page";
import type { Problem } from "../shared/problem";
import type { New${name}, ${name}, ${name}Changes, ${name}Event, ${name}Relation, ${name}Search, ${name}Status, ${name}Summary } from "./types";

declare const service: any;

@Route("/")
@Tags("${path}")
export class ${name}Controller extends Controller {
  @Get("${path}")
  public async list${name}(
    @Query() status?: ${name}Status,
    @Query() search = "",
    @Query() page = 1,
    @Query() perPage = 30,
  ): Promise<Page<${name}>> {
    return service.list(status, search, page, perPage);
  }

  @Post("${path}")
  @SuccessResponse(201, "Created")
  public async create${name}(@Body() given: New${name}): Promise<${name}> {
    return service.create(given);
  }

  @Get("${path}-summary")
  public async summarise${name}(): Promise<Envelope<${name}Summary>> {
    return service.summarise();
  }

  @Get("${path}-search")
  public async search${name}(@Query() limit = 10): Promise<${name}Search> {
    return service.search(limit);
  }

  @Get("${path}/{id}")
  ${missing}
  public async get${name}(@Path() id: string): Promise<${name}> {
    return service.find(id);
  }

  @Put("${path}/{id}")
  ${missing}
  public async update${name}(@Path() id: string, @Body() changes: ${name}Changes): Promise<${name}> {
    return service.update(id, changes);
  }

  @Delete("${path}/{id}")
  ${missing}
  public async remove${name}(@Path() id: string): Promise<void> {
    return service.remove(id);
  }

  @Patch("${path}/{id}/status")
  ${missing}
  @Response<Problem>(409, "It is closed.")
  public async setStatus${name}(
    @Path() id: string,
    @Body() change: { status: ${name}Status; reason?: string },
  ): Promise<${name}> {
    return service.setStatus(id, change);
  }

  @Get("${path}/{id}/events")
  ${missing}
  public async listEvents${name}(
    @Path() id: string,
    @Query() kind: "created" | "changed" | "closed" = "created",
    @Query() limit = 100,
  ): Promise<Page<${name}Event>> {
    return service.eventsOf(id, kind, limit);
  }

  @Post("${path}/{id}/related")
  ${missing}
  @SuccessResponse(201, "Created")
  public async relate${name}(@Path() id: string, @Body() relation: ${name}Relation): Promise<Envelope<${name}>> {
    return service.relate(id, relation);
  }
}
`;
}
