import { useEffect, useMemo } from "preact/hooks";
import type { Schema } from "../../../../../src/features/docs/wire.ts";
import { hrefTo, param } from "../../../state/address.ts";
import { Empty } from "../../../ui/feedback/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Disclosure } from "../disclosure.tsx";
import type { OpenApi } from "../openapi/document.ts";
import { operationsOf, usersOfSchemas } from "../openapi/document.ts";
import { typeLabel } from "../openapi/schema-labels.ts";
import { SearchField } from "../search-field.tsx";
import { Reading } from "./schema-view.tsx";
import { SchemaWithExample } from "./schema-with-example.tsx";

/** The named types of a version, and the operations that use them. */
export function Schemas({ document, version }: { document: OpenApi; version: string }) {
  const users = useMemo(() => usersOfSchemas(document, operationsOf(document, version)), [document, version]);
  const wanted = param("schema");
  const words = (param("q") ?? "").toLowerCase().split(/\s+/);
  const all = Object.entries(document.components?.schemas ?? {});
  const found = all.filter(([name, schema]) => words.every((word) => textOf(name, schema).includes(word)));
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
      <Reading.Provider value={{ document, version }}>
        <div class="schemas divided">
          {found.map(([name, schema]) => (
            <Disclosure
              key={`${name} ${name === wanted}`}
              id={idOf(name)}
              isOpen={name === wanted}
              summary={<SchemaLine name={name} schema={schema} users={users.get(name)?.length ?? 0} />}
            >
              {() => (
                <>
                  <UsedBy routes={users.get(name) ?? []} version={version} />
                  <SchemaWithExample schema={{ $ref: `#/components/schemas/${name}` }} isJson />
                </>
              )}
            </Disclosure>
          ))}
        </div>
      </Reading.Provider>
      {found.length === 0 && <Empty icon="search" title="No schema matches" />}
    </Panel>
  );
}

const idOf = (name: string) => `schema-${name}`;

function textOf(name: string, { description = "", properties = {} }: Schema): string {
  return [name, description, ...Object.keys(properties)].join(" ").toLowerCase();
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

function UsedBy({ routes, version }: { routes: readonly string[]; version: string }) {
  if (routes.length === 0) return <p class="hint">No operation uses it.</p>;
  return (
    <div>
      <h3>Used by</h3>
      <ul class="cluster gap-11">
        {routes.map((route) => (
          <li key={route}>
            <a class="mono" href={hrefTo("api", { version, op: route })}>
              {route}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
