import type { Server } from "node:http";

/**
 * Attaches Annex to the application of a subject, if the subject was started for that. Everything is on but the records
 * of requests in the log. Annex is loaded only here, so that the bare application stays bare.
 */
export async function attachAnnex(app: object, server?: Server): Promise<void> {
  if (process.argv[2] !== "attached") return;
  const { createAnnex } = await import("./annex.ts");
  const annex = await createAnnex("info");
  await annex.attach(app, server && { server });
}
