import type { ConfigResponse } from "../../../../../src/features/settings/wire.ts";
import { useQuery } from "../../../state/query.ts";
import { Loaded } from "../../../ui/feedback/notice.tsx";
import { HistoryLevels } from "./history-levels.tsx";
import { Instances } from "./instances.tsx";
import { Overhead } from "./overhead.tsx";
import { Sessions } from "./sessions.tsx";
import { Stores } from "./stores.tsx";

/** Stored data with its retention, and the cost of monitoring. */
export function StorageAndOverhead({ config }: { config: ConfigResponse }) {
  const now = useQuery("/_/_/data/now", {}, { every: 5_000 });
  return (
    <>
      <Stores config={config} metrics={now.data?.store} />
      <Loaded query={now} lines={6}>
        {(state) => <Overhead now={state} kinds={config.dropped} />}
      </Loaded>
      <div class="grid">
        <HistoryLevels store={now.data?.store} />
        <Sessions config={config} />
      </div>
      <Instances here={now.data?.instance} />
    </>
  );
}
