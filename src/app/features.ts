import { access } from "../features/access/index.ts";
import { cron } from "../features/cron/index.ts";
import { dashboard } from "../features/dashboard/index.ts";
import { docs } from "../features/docs/index.ts";
import { logging } from "../features/logging/index.ts";
import { metrics } from "../features/metrics/index.ts";
import { rateLimits } from "../features/rate-limits/index.ts";
import { settings } from "../features/settings/index.ts";
import { visitors } from "../features/visitors/index.ts";

/**
 * All features. They are created, opened and started in this order, and stopped in the reverse order. To remove a
 * feature, delete its line. Features that report jobs come before cron, which runs them.
 */
export const features = [
  logging,
  settings,
  metrics,
  visitors,
  access,
  rateLimits,
  cron,
  docs,
  dashboard,
] as const;
