/** A server whose requests are counted. It creates a superuser, who can read the metrics. */
import { createApp } from "../../../src/index.ts";

const app = createApp({ log: { store: false }, logLevel: "warn" });
app.onServe(({ router }) => {
  router.get("/ping", (e) => e.text(200, "pong"));
});
const { url } = await app.start();
const { CHAOS_IDENTITY: identity = "", CHAOS_PASSWORD: password = "" } = process.env;
if ((await app.superusers.list()).length === 0) await app.superusers.create(identity, password);
process.stderr.write(`listening at ${url}\n`);
