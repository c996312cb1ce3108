// With `import`, in every kind of module. It compiles with TypeScript 5.0, so it uses nothing newer.
import {
  type APIVersionManager,
  ApiError,
  type App,
  createApp,
  type Generated,
  type Handler,
  initializeVersionedSystemWithRoutes,
  RequestEvent,
  type RouteRegistrar,
  requireAuth,
  StartError,
  sql,
  type VersionedRouter,
} from "annex";

interface Note {
  id: Generated<number>;
  text: string;
}

class NoteError extends ApiError {
  constructor(readonly note: number) {
    super(404, `There is no note ${note}.`);
  }
}

const find: Handler<"id"> = (e) => {
  throw new NoteError(Number(e.pathValue("id")));
};

const routes: RouteRegistrar = (router: VersionedRouter) => {
  router.get("/api/v1/notes/{id}", find).bind(requireAuth(), (e) => e.next());
  router.get("/api/v1/echo/{text}", (e) => {
    const text: string = e.pathValue("text");
    return e.json(200, { text, isEvent: e instanceof RequestEvent });
  });
  // @ts-expect-error: the result is checked
  router.get("/api/v1/wrong", () => ({ text: "not sent" }));
  // @ts-expect-error: the names of path values are checked
  router.get("/api/v1/{id}", (e) => e.text(200, e.pathValue("other")));
};

export const versions: APIVersionManager = initializeVersionedSystemWithRoutes({ v1: { routes } }, "v1");

export async function list(app: App): Promise<string[]> {
  const database = await app.database();
  const query = database.tables<{ notes: Note }>().selectFrom("notes").select("text");
  const rows = await query.where(sql<boolean>`true`).execute();
  const texts: string[] = rows.map((row: { text: string }) => row.text);
  return texts;
}

export async function start(): Promise<App | number> {
  try {
    const app = createApp({ port: 0, versions });
    await app.start();
    return app;
  } catch (error) {
    if (error instanceof StartError) return error.exitCode;
    throw error;
  }
}
