import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";

type Counted = Pick<ErrorSummary, "instances">;

/** The instances of an error. During an upgrade, one that responds may have an older version, which does not list them. */
export function instancesOf(error: Partial<Counted>): Counted["instances"] {
  return error.instances ?? [];
}
