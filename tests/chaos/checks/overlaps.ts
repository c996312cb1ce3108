import { type Check, noticeMs } from "../evidence.ts";
import type { Incident } from "../faults.ts";
import type { Call } from "../records.ts";

interface Piece {
  readonly call: Call;
  readonly from: number;
  readonly to: number;
}

/** Two calls of a job that does not allow overlaps, at the same time on the clock that all processes share. */
export const findOverlaps: Check = ({ jobs, calls, incidents, slackMs }) => {
  const exclusive = new Set(jobs.filter(({ overlap }) => overlap !== "allow").map(({ id }) => id));
  const ofExclusive = calls.filter(({ job }) => exclusive.has(job));
  return [...Map.groupBy(ofExclusive, ({ job }) => job).values()].flatMap((own) => {
    const pieces = own
      .flatMap((call) => piecesOf(call, incidents, noticeMs + slackMs))
      .sort((one, other) => one.from - other.from);
    return pieces.flatMap((piece, index) =>
      pieces
        .slice(index + 1)
        .filter(({ from, call }) => from < piece.to && call.run !== piece.call.run)
        .map((later) => describeOverlap(piece, later)),
    );
  });
};

/** The times in which a call was executed: neither after the end of its process nor while it was stopped. */
function piecesOf(call: Call, incidents: readonly Incident[], toleratedMs: number): Piece[] {
  const own = incidents.filter(({ pid }) => pid === call.pid);
  const death = own.find(({ kind, from }) => kind === "kill" && from >= call.begin);
  const end = call.end ?? death?.to ?? Number.POSITIVE_INFINITY;
  const stops = own.filter(({ kind, from, to }) => kind === "stop" && from < end && to > call.begin);
  const pieces: Piece[] = [];
  let from = call.begin;
  for (const stop of stops) {
    pieces.push({ call, from, to: stop.from });
    // A lease cannot stop a process that does not run. The process notices when it is resumed.
    from = stop.to + toleratedMs;
  }
  if (from < end) pieces.push({ call, from, to: end });
  return pieces;
}

function describeOverlap(one: Piece, other: Piece): string {
  const ms = Math.round(Math.min(one.to, other.to) - other.from);
  const name = ({ call: { run, instance } }: Piece) => `${run} on ${instance}`;
  return `${one.call.job}: ${name(one)} and ${name(other)} for ${ms} ms`;
}
