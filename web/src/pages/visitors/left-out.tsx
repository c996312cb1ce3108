import { formatCount } from "../../format/numbers.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Visits } from "./shapes.ts";

/** How each limit affects the metrics above. */
const meanings: Readonly<Record<string, string>> = {
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
export function LeftOut({ limits }: Pick<Visits, "limits">) {
  const reached = Object.entries(limits).filter(([, count]) => count > 0);
  if (reached.length === 0) return null;
  return (
    <section class="visit-left-out" aria-label="Incomplete metrics">
      <p class="warn">
        <Icon name="warn" /> Some metrics are incomplete. Since this instance started:
      </p>
      <ul>
        {reached.map(([name, count]) => (
          <li key={name}>
            <b>{formatCount(count)}</b> {meanings[name] ?? name.replaceAll("_", " ")}
          </li>
        ))}
      </ul>
    </section>
  );
}
