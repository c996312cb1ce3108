import { useContext, useId } from "preact/hooks";
import type { RequestBody, Schema } from "../../../../src/features/docs/wire.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge } from "../../ui/status.tsx";
import { exampleText } from "../draft/create-draft.ts";
import { bodyKindOf, type Draft } from "../draft/draft.ts";
import { resolveSchema } from "../openapi/document.ts";
import { typeLabel } from "../openapi/schema-labels.ts";
import { Reading } from "../reading.ts";
import { SchemaView } from "../schemas/schema-view.tsx";

interface BodyEditorProps {
  readonly body: RequestBody;
  readonly draft: Draft;
  readonly problem: string | undefined;
  onWrite(changes: Partial<Draft>): void;
}

/** The schema of a body, next to an editor for it. */
export function BodyEditor({ body, draft, problem, onWrite }: BodyEditorProps) {
  const { document } = useContext(Reading);
  const types = Object.keys(body.content);
  const { contentType = types[0]! } = draft;
  const schema = body.content[contentType]?.schema ?? {};
  const kind = bodyKindOf(contentType);
  const choose = (type: string) =>
    onWrite({ contentType: type, text: exampleText(document, body, type), form: {} });
  return (
    <section class="body-editor stack" aria-labelledby="body-title">
      <header class="cluster gap-8">
        <h3 id="body-title">Body</h3>
        {types.length > 1 ? (
          <select
            aria-label="Type of the body"
            value={contentType}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        ) : (
          <code class="quiet">{contentType}</code>
        )}
        {body.required && <Badge tone="info">required</Badge>}
        {body.description && <span class="hint">{body.description}</span>}
      </header>
      <div class="grid">
        {kind === "json" || kind === "text" ? (
          <TextBody
            text={draft.text}
            problem={problem}
            example={exampleText(document, body, contentType)}
            onWrite={(text) => onWrite({ contentType, text })}
          />
        ) : (
          <FormBody
            schema={kind === "file" ? { properties: { "": { format: "binary" } } } : schema}
            form={draft.form}
            onWrite={(form) => onWrite({ contentType, form })}
          />
        )}
        <SchemaView schema={schema} />
      </div>
    </section>
  );
}

interface TextBodyProps {
  readonly text: string;
  readonly example: string;
  readonly problem: string | undefined;
  onWrite(text: string): void;
}

function TextBody({ text, example, problem, onWrite }: TextBodyProps) {
  const id = useId();
  return (
    <div class="field">
      <textarea
        class="mono"
        aria-label="Body"
        spellcheck={false}
        rows={Math.min(24, Math.max(6, text.split("\n").length + 1))}
        value={text}
        {...(problem && { "aria-invalid": true, "aria-describedby": id })}
        onInput={(event) => onWrite(event.currentTarget.value)}
      />
      {problem && (
        <span class="field-problem" id={id}>
          {problem}
        </span>
      )}
      {text !== example && (
        <div>
          <Button icon="restore" onClick={() => onWrite(example)}>
            Reset to example
          </Button>
        </div>
      )}
    </div>
  );
}

interface FormBodyProps {
  readonly schema: Schema;
  readonly form: Draft["form"];
  onWrite(form: Draft["form"]): void;
}

function FormBody({ schema, form, onWrite }: FormBodyProps) {
  const { document } = useContext(Reading);
  const { properties = {}, required = [] } = resolveSchema(document, schema);
  const id = useId();
  return (
    <div class="form">
      {Object.entries(properties).map(([name, each]) => (
        <div key={name} class="field">
          <label for={`${id} ${name}`}>
            {name === "" ? "File" : <code class="strong">{name}</code>}{" "}
            <span class="hint">{each.format !== "binary" && typeLabel(each)}</span>{" "}
            {required.includes(name) && <Badge tone="info">required</Badge>}
          </label>
          <FormField
            id={`${id} ${name}`}
            schema={resolveSchema(document, each)}
            value={form[name] ?? ""}
            onWrite={(value) => onWrite({ ...form, [name]: value })}
          />
        </div>
      ))}
    </div>
  );
}

interface FormFieldProps {
  readonly id: string;
  readonly schema: Schema;
  readonly value: string | File;
  onWrite(value: string | File): void;
}

function FormField({ id, schema, value, onWrite }: FormFieldProps) {
  if (schema.format === "binary") {
    return <input id={id} type="file" onChange={(event) => onWrite(event.currentTarget.files?.[0] ?? "")} />;
  }
  return (
    <input
      id={id}
      type="text"
      autocomplete="off"
      value={typeof value === "string" ? value : ""}
      onInput={(event) => onWrite(event.currentTarget.value)}
    />
  );
}
