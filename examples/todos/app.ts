import { type App, type AppOptions, createApp } from "../../src/index.ts";
import { registerJobs } from "./jobs.ts";
import { identifyPerson } from "./people.ts";
import { mountSite } from "./site.ts";
import { migrations } from "./tables.ts";
import { createVersions } from "./versions.ts";

/** A shared todo list: two API versions, users with API keys, a few jobs and pages. */
export function createTodosApp(options: AppOptions = {}): App {
  const app = createApp({ ...options, migrations, versions: createVersions() });
  app.authenticate(identifyPerson);
  registerJobs(app);
  app.onServe(({ router }) => mountSite(router));
  return app;
}
