import { useContext } from "preact/hooks";
import type { Schema } from "../../../../src/features/docs/wire.ts";
import { CodeBlock } from "../code-block.tsx";
import { exampleOf, type Purpose } from "../examples/schema-example.ts";
import { Reading } from "../reading.ts";
import { SchemaView } from "./schema-view.tsx";

interface SchemaWithExampleProps {
  readonly schema: Schema;
  readonly isJson: boolean;
  readonly purpose?: Purpose;
}

/** The schema, and an example of it. */
export function SchemaWithExample({ schema, isJson, purpose }: SchemaWithExampleProps) {
  const { document } = useContext(Reading);
  const example = isJson && JSON.stringify(exampleOf(document, schema, purpose), null, 2);
  return (
    <div class="grid">
      <SchemaView schema={schema} />
      {example && <CodeBlock text={example} label="Example" isJson />}
    </div>
  );
}
