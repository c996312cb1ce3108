/**
 * The program of the generated application. It tells its parent when it listens, and then, as often as it is asked, how
 * long its event loop was held up since it was last asked.
 */
export const serverSource = `import { monitorEventLoopDelay } from "node:perf_hooks";
import { createApp } from "annex";
import { versions } from "./versions.ts";

const dataDir = process.argv[2]!;
const log = { destination: \`\${dataDir}/log\` };
const app = createApp({ port: 0, dataDir, log, logLevel: "info", versions });
const { url } = await app.start();
const listeningMs = performance.now();

const resolution = 2;
const delay = monitorEventLoopDelay({ resolution });
const milliseconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - resolution);
delay.enable();
process.on("message", (asked) => {
  if (asked === "stop") void app.stop().then(() => process.disconnect());
  if (asked !== "delay") return;
  process.send!({ p99: milliseconds(delay.percentile(99)), max: milliseconds(delay.max) });
  delay.reset();
});
process.send!({ url, listeningMs });
`;
