import { useEffect, useState } from "preact/hooks";
import type { ConfigEntry, ConfigResponse, Setting } from "../../../../../src/features/settings/wire.ts";
import { attachedTo } from "../../../data/attached-to.ts";
import { param, setParams } from "../../../state/address.ts";
import type { Query } from "../../../state/query.ts";
import { useQuery } from "../../../state/query.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { limitedBytes } from "../storage/limited-bytes.ts";
import { revertSetting } from "./actions.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { Finder } from "./finder.tsx";
import type { Sizes } from "./impact.ts";
import { findOptions } from "./option-filter.ts";
import { OptionRow } from "./option-row.tsx";

/** Every option with its effective value. */
export function Configuration({ config, query }: { config: ConfigResponse; query: Query<ConfigResponse> }) {
  const [edited, setEdited] = useState<string | undefined>(undefined);
  const settings = new Map(config.settings.map((setting) => [setting.name, setting]));
  const shown = findOptions(config);
  const groups = Map.groupBy(shown, ({ group }) => group);
  const titles = new Map(config.groups.map(({ name, title }) => [name, title]));
  const sizes = useSizes(config);
  useReloadAtReturn(config, query.reload);

  async function revert(setting: Setting, entry: ConfigEntry): Promise<void> {
    if (await revertSetting(setting, entry, sizes)) query.reload();
  }
  const setting = edited === undefined ? undefined : settings.get(edited);
  const entry = config.entries.find(({ name }) => name === edited);
  return (
    <>
      <Finder config={config} />
      {attachedTo !== undefined && (
        <p class="hint">
          Annex is attached to {attachedTo}. The server of the application has its own address, TLS,
          connection timeouts and header size, so the options for these have no effect.
        </p>
      )}
      {[...groups].map(([group, entries]) => (
        <Panel key={group} title={titles.get(group) ?? group} class="config-group gap-4">
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
function useSizes({ storage }: ConfigResponse): Sizes {
  const now = useQuery("/_/_/data/now");
  return (store) => {
    const row = storage.stores.find(({ limit }) => limit?.store === store);
    return row && limitedBytes(row, now.data?.store);
  };
}

/** Reloads when a temporary setting reverts. */
function useReloadAtReturn({ settings }: ConfigResponse, reload: () => void): void {
  const next = Math.min(...settings.map(({ until }) => until ?? Infinity));
  useEffect(() => {
    if (!Number.isFinite(next)) return;
    const timer = setTimeout(reload, Math.max(1_000, next - Date.now() + 500));
    return () => clearTimeout(timer);
  }, [next]);
}
