import type { App, ExecutionLogger } from "../../src/index.ts";
import { archiveDone, countTodos, findOverdue } from "./housekeeping.ts";

/** Registers jobs of different kinds: frequent, with progress, long-running, and failing from time to time. */
export function registerJobs(app: App): void {
  app.jobs.registerJob("count", "Count todos", "Counts the todos every minute", "* * * * *", async (log) => {
    const { open, done, archived } = await countTodos(await app.database());
    log.success(`${open} open, ${done} done, ${archived} archived`);
  });

  app.jobs.registerJob(
    "archive",
    "Archive done todos",
    "Archives todos that were done a month ago",
    "30 2 * * *",
    async (log) => {
      log.start("Searching for old todos");
      const archived = await archiveDone(await app.database(), log.scheduledAt.getTime(), log.progress);
      log.complete(`Archived ${archived} todos`);
    },
    { catchUp: "once" },
  );

  app.jobs.registerJob(
    "remind",
    "Send reminders",
    "Reminds users of overdue todos. The mail server is sometimes unavailable.",
    "*/5 * * * *",
    async (log) => {
      const overdue = await findOverdue(await app.database(), log.scheduledAt.getTime());
      log.start(`Overdue: ${overdue.length}`);
      await connectToMailServer(log);
      for (const { owner, title } of overdue) log.info(`Reminded ${owner} of "${title}"`);
      log.success("All reminders sent");
    },
    { retries: { count: 2, delayMs: 5_000 }, timeoutMs: 30_000 },
  );

  app.jobs.registerJob(
    "import",
    "Flaky import",
    "Calls a service that fails one time in three, without retries, to demonstrate failed runs.",
    "*/2 * * * *",
    async (log) => {
      log.start("Requesting new todos");
      await pause(500, log.signal);
      log.progress(0.5);
      await pause(500, log.signal);
      if (Math.random() < 1 / 3) throw new Error("The import service returned 502 Bad Gateway");
      log.success("No new todos");
    },
  );

  app.jobs.registerJob(
    "backup",
    "Weekly backup",
    "Takes 20 seconds. Run it manually, watch its progress or cancel it.",
    "0 4 * * SUN",
    async (log) => {
      const tables = ["people", "todos"];
      const steps = 40;
      for (let step = 1; step <= steps; step++) {
        await pause(500, log.signal);
        log.progress(step / steps);
        if (step % 20 === 0) log.info(`Read table ${tables[step / 20 - 1]}`);
      }
      log.complete("Backup complete");
    },
    { overlap: "queue", timezone: "Europe/Berlin" },
  );
}

/** Simulates an external service that fails one time in four. */
async function connectToMailServer({ signal }: ExecutionLogger): Promise<void> {
  await pause(200, signal);
  if (Math.random() < 0.25) throw new Error("The mail server does not respond");
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
