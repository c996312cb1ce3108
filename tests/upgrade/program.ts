/** A server on a folder that an earlier release has filled. */
import { createApp } from "../../src/index.ts";

const app = createApp({ log: { retentionHours: 1_000 } });
app.jobs.registerJob("nightly", "Nightly", "", "0 3 * * *", () => {});
const { url } = await app.start();
process.stderr.write(`listening at ${url}\n`);
