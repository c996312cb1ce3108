import { type App, type AppOptions, createApp } from "../../src/index.ts";
import { registerJobs } from "./jobs.ts";
import { identifyPerson } from "./people.ts";
import { migrations } from "./tables.ts";
import { createVersions } from "./versions.ts";

/** A list of todos that several people share: two versions of an API, with the people's own keys, and a few jobs. */
export function createTodosApp(options: AppOptions = {}): App {
  const app = createApp({ ...options, migrations, versions: createVersions() });
  app.authenticate(identifyPerson);
  registerJobs(app);
  app.onServe(({ router }) => {
    router.get("/", (e) => e.redirect(302, "/api/docs/v2/swagger"));
  });
  return app;
}
