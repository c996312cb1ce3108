import { setTimeout as delay } from "node:timers/promises";
import type { TestServer } from "../support/postgres.ts";
import type { Instance } from "./instance.ts";
import { describeFault, type Fault } from "./plan.ts";
import { monotonicMs } from "./records.ts";

/** What was done to a process, or to the database, and when. */
export interface Incident {
  readonly kind: Fault["kind"];
  /** The process; undefined for the database. */
  readonly pid?: number;
  readonly from: number;
  /** When the process runs again, or the database accepts connections again. */
  to: number;
}

export interface FaultContext {
  readonly server: TestServer;
  readonly instances: readonly Instance[];
  log(line: string): void;
}

/** Causes the faults of a plan at their times. Returns what happened. */
export async function causeFaults(plan: readonly Fault[], context: FaultContext): Promise<Incident[]> {
  const begin = monotonicMs();
  const incidents: Incident[] = [];
  let outage: Promise<unknown> = Promise.resolve();
  const pending = plan.map(async (fault) => {
    await delay(Math.max(0, fault.at * 1_000 - (monotonicMs() - begin)));
    context.log(`${fault.at.toFixed(1)} s: ${describeFault(fault)}`);
    if (fault.kind !== "outage") return cause(fault, context, incidents);
    // In a short run, two outages can meet. The database has to be up before it can be stopped.
    outage = outage.then(() => cause(fault, context, incidents));
    await outage;
  });
  await Promise.all(pending);
  return incidents;
}

async function cause(fault: Fault, context: FaultContext, incidents: Incident[]): Promise<void> {
  if (fault.kind === "outage") return breakDatabase(fault, context, incidents);
  const instance = context.instances[fault.instance]!;
  const incident: Incident = {
    kind: fault.kind,
    pid: instance.pid,
    from: monotonicMs(),
    to: Number.POSITIVE_INFINITY,
  };
  incidents.push(incident);
  switch (fault.kind) {
    case "kill":
      instance.signal("SIGKILL");
      await instance.ended();
      incident.to = monotonicMs();
      await delay(fault.forSeconds * 1_000);
      instance.start();
      return;
    case "stop":
      instance.signal("SIGSTOP");
      await delay(fault.forSeconds * 1_000);
      instance.signal("SIGCONT");
      incident.to = monotonicMs();
      return;
    case "silence":
      instance.proxy.silence();
      incident.to = monotonicMs();
      return;
    case "block":
      await fetch(`${await instance.url()}/block`, { method: "POST" }).catch(() => undefined);
      incident.to = monotonicMs();
      return;
  }
}

async function breakDatabase(
  { how, forSeconds }: Fault & { kind: "outage" },
  { server }: FaultContext,
  incidents: Incident[],
): Promise<void> {
  const incident: Incident = { kind: "outage", from: monotonicMs(), to: Number.POSITIVE_INFINITY };
  incidents.push(incident);
  await server.shutDown(how);
  await delay(forSeconds * 1_000);
  await server.startAgain();
  incident.to = monotonicMs();
}
