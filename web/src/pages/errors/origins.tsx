import { hrefTo } from "../../state/address.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ErrorSummary } from "./shapes.ts";

/** The affected routes and jobs, each with a link to its page. */
export function Origins({ routes, jobs }: Pick<ErrorSummary, "routes" | "jobs">) {
  return (
    <ul class="error-origins">
      {routes.map((route) => (
        <li key={route}>
          <Icon name="requests" label="Route" />
          <a class="mono" href={hrefTo("requests", { tab: "routes", route })}>
            {route}
          </a>
        </li>
      ))}
      {jobs.map((job) => (
        <li key={job}>
          <Icon name="cron" label="Job" />
          <a class="mono" href={hrefTo("cron", { job })}>
            {job}
          </a>
        </li>
      ))}
    </ul>
  );
}
