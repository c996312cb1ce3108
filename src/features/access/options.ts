import { option } from "../../lib/options/option.ts";
import { defineOptions } from "../../lib/options/option-set.ts";

/** Options of the access log. */
export const accessOptions = defineOptions("access", {
  retentionDays: option.number({
    env: "SVC_ACCESS_RETENTION_DAYS",
    default: 90,
    runtime: { unit: "days", min: 1, max: 3_650 },
    about: "How many days access events are stored.",
    more: "See [Access](access.md).",
  }),
});
