import { useContext, useEffect } from "preact/hooks";
import type { Schema } from "../../../../src/features/docs/wire.ts";
import { Disclosure } from "../../explorer/disclosure.tsx";
import { typeLabel } from "../../explorer/openapi/schema-labels.ts";
import { Reading } from "../../explorer/reading.ts";
import { SchemaDetails, useUsers } from "../../explorer/schemas/schema-details.tsx";
import { hasWords, SearchField } from "../../explorer/search.tsx";
import { param } from "../../state/address.ts";
import { Empty } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";

/** The named types of a version, and the operations that use them. */
export function Schemas() {
  const { document } = useContext(Reading);
  const users = useUsers();
  const wanted = param("schema");
  const search = param("q") ?? "";
  const all = Object.entries(document.components?.schemas ?? {});
  const found = all.filter(([name, schema]) => hasWords(textOf(name, schema), search));
  useEffect(() => {
    if (wanted) window.document.getElementById(idOf(wanted))?.scrollIntoView({ block: "start" });
  }, [wanted]);
  if (all.length === 0) {
    return (
      <Panel title="Schemas">
        <Empty icon="api" title="This version has no named types">
          Types that handlers accept and return appear here, under their names in the source.
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title="Schemas" hint="Named types, and where they are used">
      <SearchField
        name="Search schemas"
        placeholder="Search by name, field or text"
        found={found.length}
        all={all.length}
      />
      <div class="schemas divided">
        {found.map(([name, schema]) => (
          <Disclosure
            key={`${name} ${name === wanted}`}
            id={idOf(name)}
            isOpen={name === wanted}
            summary={<SchemaLine name={name} schema={schema} users={users.get(name)?.length ?? 0} />}
          >
            {() => <SchemaDetails name={name} />}
          </Disclosure>
        ))}
      </div>
      {found.length === 0 && <Empty icon="search" title="No schema matches" />}
    </Panel>
  );
}

const idOf = (name: string) => `schema-${name}`;

function textOf(name: string, { description = "", properties = {} }: Schema): string {
  return [name, description, ...Object.keys(properties)].join(" ");
}

function SchemaLine({ name, schema, users }: { name: string; schema: Schema; users: number }) {
  const fields = Object.keys(schema.properties ?? {}).length;
  return (
    <span class="response-line cluster baseline grow">
      <code class="strong">{name}</code>
      <span class="hint response-text">
        {fields > 0 ? `${fields} ${fields === 1 ? "field" : "fields"}` : typeLabel(schema)}
      </span>
      <span class="hint">
        used by {users} {users === 1 ? "operation" : "operations"}
      </span>
    </span>
  );
}
