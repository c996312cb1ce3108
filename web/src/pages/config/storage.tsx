import { useQuery } from "../../data/query.ts";
import { Loaded } from "../../ui/notice.tsx";
import { Cost } from "./cost.tsx";
import { FigureLevels } from "./figure-levels.tsx";
import { Instances } from "./instances.tsx";
import { KeptStores } from "./kept-stores.tsx";
import { Sessions } from "./sessions.tsx";
import type { ConfigAnswer, Now } from "./shapes.ts";

/** Stored data with its retention, and the cost of monitoring. */
export function StorageAndCost({ config }: { config: ConfigAnswer }) {
  const now = useQuery<Now>("/_/_/data/now", {}, { every: 5_000 });
  return (
    <>
      <KeptStores config={config} figures={now.data?.store} />
      <Loaded query={now} lines={6}>
        {(answer) => <Cost now={answer} />}
      </Loaded>
      <div class="grid">
        <FigureLevels store={now.data?.store} />
        <Sessions config={config} />
      </div>
      <Instances here={now.data?.instance} />
    </>
  );
}
