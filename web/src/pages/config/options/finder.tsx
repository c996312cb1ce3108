import type { ConfigResponse } from "../../../../../src/features/settings/wire.ts";
import { param, setParams } from "../../../state/address.ts";
import { Choice } from "../../../ui/controls/choice.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { chosenFilter, type Filter, filters, passing } from "./option-filter.ts";

const labels: Readonly<Record<Filter, string>> = {
  all: "All",
  changed: "Changed from default",
  "run-time": "Set at run time",
  editable: "Can be changed now",
};

/** Filters options by text or by state. */
export function Finder({ config }: { config: ConfigResponse }) {
  const options = filters.map((value) => ({
    value,
    label: (
      <>
        {labels[value]} <span class={`count ${value}`}>{passing(config, value).length}</span>
      </>
    ),
  }));
  return (
    <div class="toolbar">
      <label class="search-field">
        <span class="visually-hidden">Find an option</span>
        <Icon name="search" />
        <input
          type="search"
          data-search
          placeholder="Find an option, a value or a variable"
          autocomplete="off"
          spellcheck={false}
          value={param("q") ?? ""}
          onInput={(event) => setParams({ q: event.currentTarget.value }, { replace: true })}
        />
      </label>
      <Choice
        name="Which options"
        value={chosenFilter()}
        options={options}
        onChoose={(show) => setParams({ show: show === "all" ? undefined : show }, { replace: true })}
      />
    </div>
  );
}
