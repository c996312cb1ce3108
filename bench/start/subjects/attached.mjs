/** Annex with the options of a server in production. The arguments of a subject are the module and the data folder. */
import { join } from "node:path";
import { load } from "./meter.mjs";

const [, , module, folder] = process.argv;

export async function createAnnex() {
  const { createApp } = await load(module);
  const app = createApp({
    port: 0,
    dataDir: join(folder, "data"),
    dev: false,
    logLevel: "info",
    log: { destination: join(folder, "annex.log") },
  });
  // So that no invitation to create the first one is printed.
  if ((await app.superusers.list()).length === 0)
    await app.superusers.create("bench@example.com", "correct horse battery staple");
  return app;
}

/** Attaches Annex to the application of a subject, if the subject was started for that. */
export async function attachAnnex(app) {
  if (module !== undefined) await (await createAnnex()).attach(app);
}
