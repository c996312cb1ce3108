import "./config.css";
import { useQuery } from "../../data/query.ts";
import { param, setParams } from "../../state/address.ts";
import { email } from "../../state/session.ts";
import { Tabs } from "../../ui/choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazily } from "../../ui/lazy.tsx";
import { Loaded } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { Changes } from "./changes.tsx";
import { Configuration } from "./configuration.tsx";
import { type ConfigAnswer, configPath } from "./shapes.ts";

/** The least used tab is loaded on demand. */
const StorageAndCost = lazily(async () => (await import("./storage.tsx")).StorageAndCost);

const tabs = [
  { value: "config", label: "Configuration" },
  { value: "changes", label: "Audit log" },
  { value: "storage", label: "Storage" },
] as const;

/** Options, audit log, storage and overhead. */
export function Config() {
  const tab = tabs.find(({ value }) => value === param("tab"))?.value ?? "config";
  return (
    <>
      <PageHead title="Config">
        <a class="button plain" href="/_/" title={`Signed in as ${email}`}>
          <Icon name="person" />
          Your account and superusers
        </a>
      </PageHead>
      <Tabs
        name="Parts of this page"
        value={tab}
        options={tabs}
        onChoose={(value) => setParams(cleared(value === "config" ? undefined : value))}
      >
        {tab === "changes" ? <Changes /> : <FromConfig tab={tab} />}
      </Tabs>
    </>
  );
}

/** Clears the filters of the other tabs. */
function cleared(tab: string | undefined) {
  const none = undefined;
  return {
    tab,
    q: none,
    show: none,
    option: none,
    kind: none,
    actor: none,
    span: none,
    before: none,
    change: none,
  };
}

function FromConfig({ tab }: { tab: "config" | "storage" }) {
  const query = useQuery<ConfigAnswer>(configPath, {}, { every: 5_000 });
  return (
    <Loaded query={query} lines={12}>
      {(config) =>
        tab === "config" ? (
          <Configuration config={config} query={query} />
        ) : (
          <StorageAndCost config={config} />
        )
      }
    </Loaded>
  );
}
