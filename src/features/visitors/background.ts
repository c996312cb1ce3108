import { systemClock } from "../../lib/time/clock.ts";
import type { BackgroundContext } from "../../storage/index.ts";
import { createService, type VisitorService } from "./service.ts";

export { visitorMigrations as migrations } from "./tables.ts";

/** Entry point for the background thread. */
export function serve({ database, report }: BackgroundContext<undefined>): VisitorService {
  return createService({ database, clock: systemClock, report });
}
