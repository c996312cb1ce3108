import type { AlarmClock } from "../../../lib/time/clock.ts";
import type { DatabaseOptions } from "../../../storage/index.ts";
import { createLeaseStore } from "./lease-store.ts";
import {
  createSoleMembership,
  FleetMembership,
  type FleetParts,
  leaseMs,
  type Membership,
} from "./membership.ts";
import { createThreadHeartbeat } from "./thread-heartbeat.ts";

export interface JoinOptions {
  /** The clock of this machine. */
  readonly clock: AlarmClock;
  /** Connection options of the shared database, for the thread of the heartbeat. Undefined if it is not shared. */
  readonly shared: DatabaseOptions | undefined;
}

export function createJoinFleet({ clock: own, shared }: JoinOptions): (parts: FleetParts) => Membership {
  return ({ database, id, name, runsJobs, ...parts }) => {
    if (!shared) return createSoleMembership({ id, name, runsJobs });
    const lease = { id, name, runsJobs, leaseMs };
    const leases = createLeaseStore(database, lease);
    const heartbeat = createThreadHeartbeat({ database: shared, lease, clock: own });
    return new FleetMembership({ ...parts, leases, heartbeat });
  };
}
