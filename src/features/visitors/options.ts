import { option } from "../../lib/options/option.ts";
import { defineOptions } from "../../lib/options/option-set.ts";

/** Options of the visitor statistics. */
export const visitorsOptions = defineOptions("visitors", {
  enabled: option.flag({
    env: "SVC_VISITORS",
    default: true,
    runtime: true,
    about: "Whether page views are counted.",
    more: "See [Visitors](visitors.md).",
  }),
  honourDoNotTrack: option.flag({
    env: "SVC_VISITORS_HONOUR_DNT",
    default: false,
    runtime: true,
    about: "Whether requests with `DNT: 1` or `Sec-GPC: 1` are excluded.",
  }),
  include: option.paths({
    default: [],
    about: "Paths that are counted regardless of the response's content type, for example `/app/*`.",
  }),
  exclude: option.paths({
    default: [],
    runtime: { max: 50 },
    about: "Paths that are never counted. `*` matches any characters.",
  }),
});
