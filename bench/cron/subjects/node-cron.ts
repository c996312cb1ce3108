import { schedule as createTask } from "node-cron";
import { createReplanned } from "./replanned.ts";

export const subject = createReplanned(({ schedule, run }, timezone) =>
  createTask(schedule, run, { timezone }),
);
