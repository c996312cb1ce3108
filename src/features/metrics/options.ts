import { option, textLike } from "../../lib/options/option.ts";
import { defineOptions } from "../../lib/options/option-set.ts";

/** Options of the metrics. */
export const metricsOptions = defineOptions("metrics", {
  maxMegabytes: option.number({
    env: "SVC_METRICS_MAX_MB",
    default: 256,
    runtime: { unit: "megabytes", min: 1, max: 1_000_000 },
    about: "Maximum size of the metrics history, in megabytes. The oldest data is deleted first.",
  }),
  scrapeToken: option.optionalText({
    // Short tokens can be guessed, and guessing a token does not lock an account.
    parse: textLike(/^[\x21-\x7e]{16,}$/, "at least 16 printable ASCII characters without spaces"),
    env: "SVC_METRICS_TOKEN",
    about: "Token that allows a Prometheus scraper to read `/_/_/metrics`. At least 16 characters.",
  }),
});
