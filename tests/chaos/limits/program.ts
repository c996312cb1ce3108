/** A server that stores a record of each request. It creates a superuser, who can change the limits. */
import { createApp } from "../../../src/index.ts";

const app = createApp({ logLevel: "debug" });
app.onServe(({ router }) => {
  router.get("/ping", (e) => e.text(200, "pong"));
});
const { CHAOS_IDENTITY: identity = "", CHAOS_PASSWORD: password = "" } = process.env;
// Before the start, which would print a link for the first superuser.
if ((await app.superusers.list()).length === 0) await app.superusers.create(identity, password);
const { url } = await app.start();
process.stderr.write(`listening at ${url}\n`);
