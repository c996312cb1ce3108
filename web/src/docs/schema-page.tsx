import { useContext } from "preact/hooks";
import { Reading } from "../explorer/reading.ts";
import { SchemaDetails } from "../explorer/schemas/schema-details.tsx";
import { hrefHere } from "../state/address.ts";
import { CopyButton } from "../ui/controls/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Missing } from "./missing.tsx";

/** One named type. */
export function SchemaPage({ name }: { name: string }) {
  const { document, version, links } = useContext(Reading);
  const isKnown = Object.hasOwn(document.components?.schemas ?? {}, name);
  return (
    <>
      <a class="operation-back link-row flipped" href={hrefHere({ schema: undefined })}>
        <Icon name="right" />
        All endpoints of {version}
      </a>
      {isKnown ? (
        <section class="panel" aria-labelledby="schema-title">
          <header class="row">
            <h1 id="schema-title">{name}</h1>
            <CopyButton
              text={() => new URL(links.schema(name), window.location.href).href}
              name="Copy a link to this schema"
            />
          </header>
          <SchemaDetails name={name} />
        </section>
      ) : (
        <Missing title={`${version} has no schema ${name}`} />
      )}
    </>
  );
}
