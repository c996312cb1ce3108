import type { RunDetails } from "../../../../../src/features/cron/wire.ts";
import { formatMoment } from "../../../format/times.ts";
import { hrefHere } from "../../../state/address.ts";
import { Countdown } from "../../../ui/countdown.tsx";
import { Moment } from "../../../ui/time.tsx";
import { RunState } from "../statuses.tsx";

/** All attempts of a run, including the queued one. Nothing if there is only one. */
export function Attempts({ run: { id, attempts = [], retry } }: { run: RunDetails }) {
  if (attempts.length === 0 && !retry) return null;
  return (
    <section class="stack gap-4" aria-label="Attempts">
      <h3>Attempts</h3>
      <ol class="divided">
        {attempts.map((each) => (
          <li key={each.id} class="split">
            <span class="row baseline gap-8">
              <span class="strong">{each.attempt}</span>
              <RunState status={each.status} />
              {each.instance !== undefined && <span class="hint">{each.instance}</span>}
            </span>
            {each.id === id ? (
              <span class="hint">This run</span>
            ) : (
              <a href={hrefHere({ run: each.id })}>
                <Moment time={Date.parse(each.start_time)}>
                  {formatMoment(Date.parse(each.start_time))}
                </Moment>
              </a>
            )}
          </li>
        ))}
        {retry && (
          <li class="split">
            <span class="row baseline gap-8">
              <span class="strong">{retry.attempt}</span> Queued
            </span>
            <a href={hrefHere({ run: retry.id })}>
              <Countdown time={Date.parse(retry.run_at)} />
            </a>
          </li>
        )}
      </ol>
    </section>
  );
}
