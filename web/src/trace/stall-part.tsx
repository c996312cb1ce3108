import type { Stall } from "../../../src/features/metrics/wire/stalls.ts";
import { nameWork } from "../data/stalls.ts";
import { formatMs } from "../format/numbers.ts";
import { StallDetail } from "../ui/stall-detail.tsx";
import { Status } from "../ui/status.tsx";

/** The stalls that the request, or a job that it started, caused. */
export function StallPart({ stalls }: { stalls: readonly Stall[] }) {
  if (stalls.length === 0) return null;
  return (
    <section aria-label="Event loop">
      {stalls.map((stall) => (
        <div key={stall.started_at} class="stack gap-2">
          <p>
            <Status tone="warn">
              {subjectOf(stall)} the event loop for {formatMs(stall.duration_ms)}
            </Status>
          </p>
          <StallDetail stall={stall} />
        </div>
      ))}
    </section>
  );
}

function subjectOf({ cause, is_certain }: Stall): string {
  const verb = is_certain === false ? "Probably blocked" : "Blocked";
  return cause?.kind === "run" ? `${nameWork(cause)}: ${verb.toLowerCase()}` : verb;
}
