import { useContext } from "preact/hooks";
import { Panel } from "../../ui/panel.tsx";
import { StatusCode } from "../../ui/status.tsx";
import { CodeBlock } from "./code-block.tsx";
import { resolveResponse } from "./document.ts";
import { Fold } from "./fold.tsx";
import { exampleOf } from "./schema-example.ts";
import { Reading, SchemaView } from "./schema-view.tsx";
import { limitWords, typeWords } from "./schema-words.ts";
import type { Operation, Response, Schema } from "./shapes.ts";

/** The possible responses of an operation, by status. */
export function Responses({ responses }: { responses: NonNullable<Operation["responses"]> }) {
  const { document } = useContext(Reading);
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    response: resolveResponse(document, response),
  }));
  const first = all.find(({ status }) => status.startsWith("2")) ?? all[0];
  return (
    <Panel title="Responses" hint="By status">
      <div class="responses">
        {all.map(({ status, response }) => (
          <Fold
            key={status}
            isOpen={status === first?.status}
            summary={<ResponseLine status={status} response={response} />}
          >
            {() => <ResponseBody response={response} />}
          </Fold>
        ))}
      </div>
    </Panel>
  );
}

function ResponseLine({ status, response }: { status: string; response: Response }) {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  return (
    <span class="response-line">
      {/^\d+$/.test(status) ? (
        <StatusCode status={Number(status)} />
      ) : (
        <span class="code quiet">{status}</span>
      )}
      <span class="response-text">{response.description}</span>
      {media?.schema && <code class="schema-type">{typeWords(media.schema)}</code>}
      {type && <span class="hint">{type}</span>}
    </span>
  );
}

function ResponseBody({ response }: { response: Response }) {
  const { content = {}, headers = {} } = response;
  return (
    <>
      {Object.keys(headers).length > 0 && (
        <dl class="facts">
          {Object.entries(headers).map(([name, header]) => (
            <div key={name} class="facts-row">
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{[header.description, ...limitWords(header.schema ?? {})].filter(Boolean).join(" · ")}</dd>
            </div>
          ))}
        </dl>
      )}
      {Object.entries(content).map(([type, { schema }]) => (
        <div key={type}>
          {Object.keys(content).length > 1 && <p class="hint">{type}</p>}
          {schema && <SchemaWithExample schema={schema} isJson={/json/.test(type)} />}
        </div>
      ))}
      {Object.keys(content).length === 0 && <p class="hint">No body.</p>}
    </>
  );
}

/** The schema, and an example of it. */
export function SchemaWithExample({ schema, isJson }: { schema: Schema; isJson: boolean }) {
  const { document } = useContext(Reading);
  const example = isJson && JSON.stringify(exampleOf(document, schema), null, 2);
  return (
    <div class="side-by-side">
      <SchemaView schema={schema} />
      {example && <CodeBlock text={example} label="Example" isJson />}
    </div>
  );
}
