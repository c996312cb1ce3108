import { CronJob } from "cron";
import { createReplanned } from "./replanned.ts";

export const subject = createReplanned(({ schedule, run }, timeZone) =>
  CronJob.from({ cronTime: schedule, onTick: run, start: true, timeZone }),
);
