import { option } from "../../lib/options/option.ts";
import { defineGroup, defineOptions } from "../../lib/options/option-set.ts";

const group = defineGroup({ name: "visitors", title: "Visitors", about: "Visitor statistics.", order: 60 });

/** Options of the visitor statistics. */
export const visitorsOptions = defineOptions(group, {
  enabled: option.flag({
    env: "SVC_VISITORS",
    default: true,
    runtime: true,
    effect: {
      kind: "switch",
      on: "Views are counted from now on.",
      off: "Views from now on are not counted, and cannot be recovered later. Existing counts are kept.",
      loses: true,
    },
    about: "Whether page views are counted.",
    more: "See [Visitors](visitors.md).",
  }),
  honourDoNotTrack: option.flag({
    env: "SVC_VISITORS_HONOUR_DNT",
    default: false,
    runtime: true,
    effect: {
      kind: "switch",
      on: "Views of visitors who ask not to be tracked no longer count, so the numbers will be lower. Existing counts are kept.",
      off: "Views of visitors who ask not to be tracked count from now on, like all others.",
    },
    about: "Whether requests with `DNT: 1` or `Sec-GPC: 1` are excluded.",
  }),
  include: option.paths({
    default: [],
    about: "Paths that are counted regardless of the response's content type, for example `/app/*`.",
  }),
  exclude: option.paths({
    default: [],
    runtime: { max: 50 },
    effect: {
      kind: "paths",
      none: "Views of all pages count from now on.",
      some: "Views of %s are no longer counted. Existing counts are kept.",
    },
    about: "Paths that are never counted. `*` matches any characters.",
  }),
});
