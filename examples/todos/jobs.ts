import type { App, ExecutionLogger } from "../../src/index.ts";
import { archiveDone, countTodos, findOverdue } from "./housekeeping.ts";

/** What the application does by itself, each in its own way: often, with progress, for long, and now and then in vain. */
export function registerJobs(app: App): void {
  app.jobs.registerJob("count", "Count todos", "Counts the todos every minute", "* * * * *", async (log) => {
    const { open, done, archived } = await countTodos(await app.database());
    log.success(`${open} open, ${done} done, ${archived} archived`);
  });

  app.jobs.registerJob(
    "archive",
    "Archive done todos",
    "Puts away what was done a month ago",
    "30 2 * * *",
    async (log) => {
      log.start("Looking for what was done a month ago");
      const archived = await archiveDone(await app.database(), log.scheduledAt.getTime(), log.progress);
      log.complete(`Archived ${archived} todos`);
    },
    { catchUp: "once" },
  );

  app.jobs.registerJob(
    "remind",
    "Send reminders",
    "Tells people about overdue todos; the mail server is not always there",
    "*/5 * * * *",
    async (log) => {
      const overdue = await findOverdue(await app.database(), log.scheduledAt.getTime());
      log.start(`Overdue: ${overdue.length}`);
      await connectToMailServer(log);
      for (const { owner, title } of overdue) log.info(`Reminded ${owner} of "${title}"`);
      log.success("All reminders are sent");
    },
    { retries: { count: 2, delayMs: 5_000 }, timeoutMs: 30_000 },
  );

  app.jobs.registerJob(
    "import",
    "Flaky import",
    "Asks a service that is away one time in three, and does not try again: shows runs that fail",
    "*/2 * * * *",
    async (log) => {
      log.start("Asking for new todos");
      await pause(500, log.signal);
      log.progress(0.5);
      await pause(500, log.signal);
      if (Math.random() < 1 / 3) throw new Error("The import service answered 502 Bad Gateway");
      log.success("There is nothing new");
    },
  );

  app.jobs.registerJob(
    "backup",
    "Weekly backup",
    "Takes twenty seconds: run it by hand, watch it, cancel it",
    "0 4 * * SUN",
    async (log) => {
      const tables = ["people", "todos"];
      const steps = 40;
      for (let step = 1; step <= steps; step++) {
        await pause(500, log.signal);
        log.progress(step / steps);
        if (step % 20 === 0) log.info(`Read the table ${tables[step / 20 - 1]}`);
      }
      log.complete("The backup is whole");
    },
    { overlap: "queue", timezone: "Europe/Berlin" },
  );
}

/** Stands for a service of somebody else: one call in four finds it away. */
async function connectToMailServer({ signal }: ExecutionLogger): Promise<void> {
  await pause(200, signal);
  if (Math.random() < 0.25) throw new Error("The mail server does not answer");
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
