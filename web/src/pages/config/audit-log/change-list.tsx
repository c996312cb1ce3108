import { useEffect, useRef } from "preact/hooks";
import type { Change } from "../../../../../src/features/settings/wire.ts";
import { auditLabel, describeDetail, hasValues } from "../../../data/audit-log.ts";
import { formatClock } from "../../../format/times.ts";
import { hrefTo, param } from "../../../state/address.ts";
import { zoneName } from "../../../state/zone.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import type { Tone } from "../../../ui/status.tsx";
import { Moment } from "../../../ui/time.tsx";
import { BeforeAfter } from "../values.tsx";

/** A list of changes, grouped by day. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: zoneName.value });
  const days = Map.groupBy(changes, ({ at }) => day.format(at));
  const severalInstances = new Set(changes.map(({ instance }) => instance)).size > 1;
  return (
    <div class="changes stack gap-11">
      {[...days].map(([name, list]) => (
        <section key={name}>
          <h3>{name}</h3>
          <ol>
            {list.map((change) => (
              <ChangeRow key={change.id} change={change} showsInstance={severalInstances} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

const looks: Readonly<Record<string, readonly [IconName, Tone]>> = {
  start: ["play", "good"],
  stop: ["stop", "quiet"],
  setting: ["config", "info"],
  revert: ["restore", "info"],
  timezone: ["clock", "info"],
  pause: ["pause", "warn"],
  resume: ["play", "good"],
  remove: ["trash", "bad"],
  restore: ["restore", "good"],
  run: ["play", "info"],
  cancel: ["close", "warn"],
  "superuser-add": ["person", "good"],
  "superuser-remove": ["person", "bad"],
  password: ["person", "warn"],
};

function ChangeRow({ change, showsInstance }: { change: Change; showsInstance: boolean }) {
  const [icon, tone] = looks[change.kind] ?? ["info", "quiet"];
  const isMarked = param("change") === String(change.id);
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: "center" });
  }, [isMarked]);
  return (
    <li ref={row} class={isMarked ? "marked" : ""} {...(isMarked && { "aria-current": "true" })}>
      <span class={`disc ${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="cluster gap-8">
        <Sentence change={change} />
        {hasValues(change) && (
          <BeforeAfter name={change.subject ?? ""} before={change.before} after={change.after} />
        )}
      </div>
      <p class="change-time row gap-8 hint">
        {showsInstance && <span>{change.instance}</span>}
        <a
          class="plain-link"
          href={hrefTo("config", { tab: "changes", change: change.id })}
          title="A link to this change"
        >
          <Moment time={change.at}>{formatClock(change.at)}</Moment>
        </a>
      </p>
    </li>
  );
}

/** Like `describeChange`, with names as links. */
function Sentence({ change }: { change: Change }) {
  const { done, what, subject } = auditLabel(change);
  const object =
    subject === undefined ? (
      what
    ) : (
      <>
        {what} <Subject change={change} subject={subject} />
      </>
    );
  const detail = describeDetail(change);
  return (
    <span class="change-sentence wrap">
      {change.actor ? (
        <>
          <b>{change.actor}</b> {done} {object}
        </>
      ) : (
        <>
          <span class="change-first">{object}</span> was {done}
        </>
      )}
      {detail}
    </span>
  );
}

function Subject({ change: { kind, detail }, subject }: { change: Change; subject: string }) {
  if (kind === "setting" || kind === "revert")
    return (
      <a href={hrefTo("config", { option: subject })}>
        <code>{subject}</code>
      </a>
    );
  if (kind.startsWith("superuser") || kind === "password") return <b>{subject}</b>;
  const run = /^run (\S+)$/.exec(String(detail ?? ""))?.[1];
  return <a href={hrefTo("cron", { job: subject, run })}>{subject}</a>;
}
