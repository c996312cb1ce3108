import { useEffect, useState } from "preact/hooks";
import type { Query } from "../../data/query.ts";
import { useQuery } from "../../data/query.ts";
import { param, setParams } from "../../state/address.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { revertSetting } from "./acts.tsx";
import type { Sizes } from "./consequences.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { Finder } from "./finder.tsx";
import { findOptions } from "./option-filter.ts";
import { OptionRow } from "./option-row.tsx";
import type { ConfigAnswer, Entry, FigureStore, Setting } from "./shapes.ts";
import { sumOf } from "./storage-parts.ts";

const titles: Readonly<Record<string, string>> = {
  server: "Server",
  log: "Logging",
  cron: "Cron",
  metrics: "Metrics",
  visitors: "Visitors",
  docs: "API documentation",
  auth: "Sign-in",
  access: "Access log",
  shutdown: "Shutdown",
  limits: "Limits",
};

/** Every option with its effective value. */
export function Configuration({ config, query }: { config: ConfigAnswer; query: Query<ConfigAnswer> }) {
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const settings = new Map(config.settings.map((setting) => [setting.name, setting]));
  const shown = findOptions(config);
  const groups = Map.groupBy(shown, ({ group }) => group);
  const sizes = useSizes(config);
  useReloadAtReturn(config, query.reload);

  async function revert(setting: Setting, entry: Entry): Promise<void> {
    if (await revertSetting(setting, entry, sizes)) query.reload();
  }
  const setting = edited === undefined ? undefined : settings.get(edited);
  const entry = config.entries.find(({ name }) => name === edited);
  return (
    <>
      <Finder config={config} />
      {[...groups].map(([group, entries]) => (
        <Panel key={group} title={titles[group] ?? group} class="config-group">
          <ul>
            {entries.map((each) => (
              <OptionRow
                key={each.name}
                entry={each}
                setting={settings.get(each.name)}
                isOpen={param("option") === each.name}
                onEdit={() => setEdited(each.name)}
                onRevert={() => revert(settings.get(each.name)!, each)}
              />
            ))}
          </ul>
        </Panel>
      ))}
      {shown.length === 0 && <Nothing />}
      {setting && entry && (
        <EditDialog
          setting={setting}
          entry={entry}
          sizes={sizes}
          onClose={() => setEdited(undefined)}
          onChanged={query.reload}
        />
      )}
    </>
  );
}

function Nothing() {
  return (
    <Panel title="No option">
      <Empty
        icon="search"
        title="No option matches"
        action={<Button onClick={() => setParams({ q: undefined, show: undefined })}>Show all</Button>}
      >
        The search covers names, values, environment variables, sources and meanings.
      </Empty>
    </Panel>
  );
}

/** The current storage sizes, to warn about data loss when a limit is reduced. */
function useSizes({ storage }: ConfigAnswer): Sizes {
  const now = useQuery<{ store?: FigureStore }>("/_/_/data/now");
  return { logs: sumOf(storage, "logs"), figures: now.data?.store?.bytes };
}

/** Reloads when a temporary setting reverts. */
function useReloadAtReturn({ settings }: ConfigAnswer, reload: () => void): void {
  const next = Math.min(...settings.map(({ until }) => until ?? Infinity));
  useEffect(() => {
    if (!Number.isFinite(next)) return;
    const timer = setTimeout(reload, Math.max(1_000, next - Date.now() + 500));
    return () => clearTimeout(timer);
  }, [next]);
}
