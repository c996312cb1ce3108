import { option } from "../../lib/options/option.ts";
import { defineGroup, defineOptions } from "../../lib/options/option-set.ts";

const group = defineGroup({ name: "access", title: "Access log", about: "The access log.", order: 90 });

/** Options of the access log. */
export const accessOptions = defineOptions(group, {
  retentionDays: option.number({
    env: "SVC_ACCESS_RETENTION_DAYS",
    default: 90,
    runtime: { unit: "days", min: 1, max: 3_650 },
    effect: { kind: "age", data: "access events", when: "within the hour" },
    about: "How many days access events are stored.",
    more: "See [Access](access.md).",
  }),
});
