import type { Limits, Visits } from "../../../../src/features/visitors/wire.ts";
import { formatCount } from "../../format/numbers.ts";
import { Icon } from "../../ui/icon.tsx";

/** How each limit affects the metrics above. */
const descriptions: Readonly<Record<keyof Limits, string>> = {
  dropped_views: "views arrived too fast and were not counted",
  late_views: "views arrived after their day was closed and were not counted",
  lost_views: "views could not be written and were not counted",
  uncounted_views: "views are counted without their visitors: the day had too many visitors",
  other_pages: "views are counted under the page (other): the day had too many pages",
  other_referrers: "views are counted under the referrer (other): the day had too many referrers",
  other_details: "views are counted by page or hour only: the day had too many combinations",
  unparsed_agents:
    "views have no browser, system or device: too many new user agents arrived in a short time",
};

/** Explains incomplete metrics. Usually renders nothing. */
export function IncompleteNote({ limits }: Pick<Visits, "limits">) {
  const reached = (Object.keys(limits) as (keyof Limits)[]).filter((name) => limits[name] > 0);
  if (reached.length === 0) return null;
  return (
    <section class="alert warn stack gap-4" aria-label="Incomplete metrics">
      <p class="note warn medium">
        <Icon name="warn" /> Some metrics are incomplete. Since this instance started:
      </p>
      <ul class="stack gap-2">
        {reached.map((name) => (
          <li key={name}>
            <b>{formatCount(limits[name])}</b> {descriptions[name] ?? name.replaceAll("_", " ")}
          </li>
        ))}
      </ul>
    </section>
  );
}
