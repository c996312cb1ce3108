import { type App, type AppOptions, createApp } from "../../src/index.ts";
import { registerJobs } from "./jobs.ts";
import { identifyPerson, mountPeople } from "./people.ts";
import { migrations } from "./tables.ts";
import { mountVersion1 } from "./v1.ts";
import { mountVersion2 } from "./v2.ts";

/** A list of todos that several people share: two versions of an API, with the people's own keys, and a few jobs. */
export function createTodosApp(options: AppOptions = {}): App {
  const app = createApp({ ...options, migrations });
  app.authenticate(identifyPerson);
  registerJobs(app);
  app.onServe(({ router }) => {
    mountPeople(router.setPrefix("/api/v1"));
    mountVersion1(router.setPrefix("/api/v1"));
    mountVersion2(router.setPrefix("/api/v2"));
    router.get("/", (e) => e.redirect(302, "/api/v1/todos"));
  });
  return app;
}
