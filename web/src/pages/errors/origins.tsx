import type { ErrorSummary } from "../../../../src/features/metrics/wire.ts";
import { formatRoute } from "../../format/routes.ts";
import { hrefTo } from "../../state/address.ts";
import { Icon } from "../../ui/icon.tsx";

/** The affected routes and jobs, each with a link to its page. */
export function Origins({ routes, jobs }: Pick<ErrorSummary, "routes" | "jobs">) {
  return (
    <ul class="stack gap-2 small-icons">
      {routes.map((route) => (
        <li key={route} class="row gap-4">
          <Icon name="requests" label="Route" />
          <a class="mono" href={hrefTo("requests", { tab: "routes", route })}>
            {formatRoute(route)}
          </a>
        </li>
      ))}
      {jobs.map((job) => (
        <li key={job} class="row gap-4">
          <Icon name="cron" label="Job" />
          <a class="mono" href={hrefTo("cron", { job })}>
            {job}
          </a>
        </li>
      ))}
    </ul>
  );
}
