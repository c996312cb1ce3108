import { APIVersionManager, type App, type AppOptions, createApp } from "annex";
import { createNote, deleteOldNotes, listNotes } from "./notes.ts";
import { migrations } from "./tables.ts";

export function createNotesApp(options: AppOptions = {}): App {
  const { NODE_ENV } = process.env;
  const versions = new APIVersionManager();
  versions.registerVersion("v1", { title: "Notes", publicSwagger: NODE_ENV !== "production" });
  versions.setVersionRouteRegistrar("v1", (router) => {
    const api = router.setPrefix("/api/v1");
    api.get("/notes", listNotes);
    api.post("/notes", createNote);
  });

  const app = createApp({ versions, migrations, ...options });
  app.jobs.registerJob(
    "cleanup",
    "Clean up",
    "Deletes notes that are older than 30 days",
    "0 3 * * *",
    (log) => deleteOldNotes(app, log),
  );
  return app;
}
