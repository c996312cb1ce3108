import { useContext } from "preact/hooks";
import { Disclosure } from "../explorer/disclosure.tsx";
import { Reading } from "../explorer/reading.ts";
import { hasWords } from "../explorer/search.tsx";
import { param } from "../state/address.ts";

/** Links to the named types. The search above finds them too. */
export function SchemaList({ chosen }: { chosen: string | undefined }) {
  const { document, links } = useContext(Reading);
  const search = param("q") ?? "";
  const schemas = Object.entries(document.components?.schemas ?? {});
  const found = schemas
    .filter(([name, { properties = {} }]) => hasWords([name, ...Object.keys(properties)].join(" "), search))
    .map(([name]) => name);
  if (found.length === 0) return null;
  return (
    <section class="endpoints card" aria-label="Schemas">
      <Disclosure
        key={String(search !== "")}
        class="endpoint-group"
        isOpen={search !== "" || chosen !== undefined}
        summary={
          <>
            <h3>Schemas</h3>
            <span class="hint">{found.length}</span>
          </>
        }
      >
        {() => (
          <ul>
            {found.map((name) => (
              <li key={name} class={name === chosen ? "endpoint chosen" : "endpoint"}>
                <a
                  class="cover mono"
                  href={links.schema(name)}
                  {...(name === chosen && { "aria-current": "true" })}
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Disclosure>
    </section>
  );
}
