import "./config.css";
import { accountPath, email } from "../../data/session.ts";
import { param, setParams } from "../../state/address.ts";
import { useQuery } from "../../state/query.ts";
import { Tabs } from "../../ui/controls/choice.tsx";
import { lazily } from "../../ui/feedback/lazy.tsx";
import { Loaded } from "../../ui/feedback/notice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { AuditLog } from "./audit-log/audit-log.tsx";
import { Configuration } from "./options/configuration.tsx";

/** The least used tab is loaded on demand. */
const StorageAndOverhead = lazily(async () => (await import("./storage/storage.tsx")).StorageAndOverhead);

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
        <a class="button plain" href={accountPath} title={`Signed in as ${email}`}>
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
        {tab === "changes" ? <AuditLog /> : <FromConfig tab={tab} />}
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
  const query = useQuery("/_/_/data/config", {}, { every: 5_000 });
  return (
    <Loaded query={query} lines={12}>
      {(config) =>
        tab === "config" ? (
          <Configuration config={config} query={query} />
        ) : (
          <StorageAndOverhead config={config} />
        )
      }
    </Loaded>
  );
}
