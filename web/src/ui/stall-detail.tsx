import { useState } from "preact/hooks";
import type { Stall } from "../../../src/features/metrics/wire/stalls.ts";
import { nameFunction, nameWork } from "../data/stalls.ts";
import { formatCount } from "../format/numbers.ts";

/** Where the code that blocked the event loop is, and what had to wait. Opens to the stack and the list. */
export function StallDetail({ stall }: { stall: Stall }) {
  const [isOpen, setOpen] = useState(false);
  const { in_flight_count: count } = stall;
  const place = nameFunction(stall);
  const waiting = count > 0 && `${count === 1 ? "1 other" : `${formatCount(count)} others`} in flight`;
  if (place === undefined && !waiting) return null;
  return (
    <details class="stall-detail" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="hint">
        {place && <code>{place}</code>}
        {place && waiting && " · "}
        {waiting}
      </summary>
      {isOpen && <StackAndWork stall={stall} />}
    </details>
  );
}

function StackAndWork({ stall: { stack, in_flight } }: { stall: Stall }) {
  return (
    <>
      {stack.length > 0 && <pre class="small">{stack.join("\n")}</pre>}
      {in_flight.length > 0 && (
        <ul class="hint" aria-label="In flight">
          {in_flight.map((work) => (
            <li key={work.kind === "run" ? work.run_id : work.trace_id}>
              {nameWork(work)} <code>{work.trace_id}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
