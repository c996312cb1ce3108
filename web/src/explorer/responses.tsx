import { useContext } from "preact/hooks";
import { Panel } from "../ui/panel.tsx";
import { StatusCode } from "../ui/status.tsx";
import { Disclosure } from "./disclosure.tsx";
import type { Operation, Response } from "./openapi/document.ts";
import { resolveResponse } from "./openapi/document.ts";
import { constraintLabels, typeLabel } from "./openapi/schema-labels.ts";
import { Reading } from "./reading.ts";
import { SchemaWithExample } from "./schemas/schema-with-example.tsx";

/** The possible responses of an operation, by status. */
export function Responses({ responses }: { responses: NonNullable<Operation["responses"]> }) {
  const { document } = useContext(Reading);
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    response: resolveResponse(document, response),
  }));
  const first = all.find(({ status }) => status.startsWith("2")) ?? all[0];
  return (
    <Panel title="Responses">
      <div class="responses divided">
        {all.map(({ status, response }) => (
          <Disclosure
            key={status}
            isOpen={status === first?.status}
            summary={<ResponseLine status={status} response={response} />}
          >
            {() => <ResponseBody response={response} />}
          </Disclosure>
        ))}
      </div>
    </Panel>
  );
}

function ResponseLine({ status, response }: { status: string; response: Response }) {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  return (
    <span class="response-line cluster baseline grow">
      {/^\d+$/.test(status) ? (
        <StatusCode status={Number(status)} />
      ) : (
        <span class="code quiet">{status}</span>
      )}
      <span class="response-text">{response.description}</span>
      {media?.schema && <code class="schema-type">{typeLabel(media.schema)}</code>}
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
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                {[header.description, ...constraintLabels(header.schema ?? {})].filter(Boolean).join(" · ")}
              </dd>
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
