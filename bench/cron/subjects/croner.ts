import { Cron } from "croner";
import { createReplanned } from "./replanned.ts";

export const subject = createReplanned(
  ({ schedule, run }, timezone) => new Cron(schedule, { timezone }, run),
);
