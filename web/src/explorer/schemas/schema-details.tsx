import { useContext, useMemo } from "preact/hooks";
import { operationsOf, usersOfSchemas } from "../openapi/document.ts";
import { Reading } from "../reading.ts";
import { SchemaWithExample } from "./schema-with-example.tsx";

/** A named type: the operations that use it, its fields, and an example. */
export function SchemaDetails({ name }: { name: string }) {
  const users = useUsers();
  return (
    <>
      <UsedBy routes={users.get(name) ?? []} />
      <SchemaWithExample schema={{ $ref: `#/components/schemas/${name}` }} isJson />
    </>
  );
}

/** The routes that use each named type. */
export function useUsers(): ReadonlyMap<string, readonly string[]> {
  const { document, version } = useContext(Reading);
  return useMemo(() => usersOfSchemas(document, operationsOf(document, version)), [document, version]);
}

function UsedBy({ routes }: { routes: readonly string[] }) {
  const { links } = useContext(Reading);
  if (routes.length === 0) return <p class="hint">No operation uses it.</p>;
  return (
    <div>
      <p class="strong">Used by</p>
      <ul class="cluster gap-11">
        {routes.map((route) => (
          <li key={route}>
            <a class="mono" href={links.operation(route)}>
              {route}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
