import { useContext } from "preact/hooks";
import type { Schema } from "../../../../../src/features/docs/wire.ts";
import { CodeBlock } from "../code-block.tsx";
import { exampleOf } from "../openapi/schema-example.ts";
import { Reading, SchemaView } from "./schema-view.tsx";

/** The schema, and an example of it. */
export function SchemaWithExample({ schema, isJson }: { schema: Schema; isJson: boolean }) {
  const { document } = useContext(Reading);
  const example = isJson && JSON.stringify(exampleOf(document, schema), null, 2);
  return (
    <div class="grid">
      <SchemaView schema={schema} />
      {example && <CodeBlock text={example} label="Example" isJson />}
    </div>
  );
}
