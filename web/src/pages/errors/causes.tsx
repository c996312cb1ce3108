import type { ErrorCause } from "../../../../src/features/metrics/wire.ts";
import { Stack } from "./stack.tsx";

/** The causes of an error, each with its type, message and frames. */
export function Causes({ causes }: { causes: readonly ErrorCause[] }) {
  if (causes.length === 0) return null;
  return (
    <section class="stack gap-4">
      <h3>{causes.length === 1 ? "Cause" : `${causes.length} causes`}</h3>
      <ol class="error-causes stack gap-11">
        {causes.map((cause, index) => (
          <li key={index} class="stack gap-4">
            <Cause cause={cause} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Cause({ cause: { relation, type, message, stack } }: { cause: ErrorCause }) {
  return (
    <>
      <p class="error-cause-message">
        <span class="hint">{relation === "cause" ? "Caused by" : "With error"}</span> <b>{type}</b>{" "}
        <span>{message || "No message."}</span>
      </p>
      {stack !== "" && <Stack stack={stack} message={message} />}
    </>
  );
}
