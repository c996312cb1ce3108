import "./cron.css";
import { useRef, useState } from "preact/hooks";
import { param } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { lazily } from "../../ui/feedback/lazy.tsx";
import { Loaded } from "../../ui/feedback/notice.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { JobList } from "./jobs/job-list.tsx";
import { SchedulerHead } from "./scheduler-head.tsx";
import { Gantt } from "./timeline/gantt.tsx";
import { useReload } from "./use-reload.ts";

const JobPage = lazily(async () => (await import("./jobs/job-page.tsx")).JobPage);
const RunDrawer = lazily(async () => (await import("./runs/run-drawer.tsx")).RunDrawer, null);

/** All jobs or one job, with a run in the drawer. */
export function Cron() {
  // Actions in the drawer reload the page behind it.
  const [news, setNews] = useState(0);
  const [job, run] = [param("job"), param("run")];
  return (
    <>
      {job === undefined ? <AllJobs news={news} /> : <JobPage key={job} id={job} news={news} />}
      {run !== undefined && <RunDrawer key={run} id={run} onNews={() => setNews((count) => count + 1)} />}
    </>
  );
}

function AllJobs({ news }: { news: number }) {
  const isTruncated = useRef(false);
  // The server searches only if the list is truncated; otherwise the page filters it.
  const search = isTruncated.current ? param("q") : undefined;
  const query = useQuery("/_/_/data/cron", { removed: "true", search }, { every: 5_000 });
  isTruncated.current ||= query.data?.truncated ?? false;
  useReload(query, news);
  return (
    <>
      <PageHead title="Cron" />
      <Loaded query={query} lines={10}>
        {(list) => (
          <>
            <SchedulerHead list={list} onChange={query.reload} />
            <JobList list={list} onChange={query.reload} />
            <Gantt jobs={list.jobs.filter(({ removed }) => !removed)} />
          </>
        )}
      </Loaded>
    </>
  );
}
