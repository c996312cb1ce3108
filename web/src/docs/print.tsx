import { render } from "preact";
import { placeOf, requiresAuth, schemesOf } from "../explorer/auth/schemes.ts";
import { CodeBlock } from "../explorer/code-block.tsx";
import { createDraft } from "../explorer/draft/create-draft.ts";
import { parametersOf, prepare } from "../explorer/draft/draft.ts";
import { originsOf } from "../explorer/openapi/document.ts";
import { constraintLabels, typeLabel } from "../explorer/openapi/schema-labels.ts";
import { Reading, type ReadingContext } from "../explorer/reading.ts";
import { Responses } from "../explorer/responses.tsx";
import { toCurl } from "../explorer/samples/curl.ts";
import { toSample } from "../explorer/samples/sample-request.ts";
import { SchemaWithExample } from "../explorer/schemas/schema-with-example.tsx";
import { Introduction } from "./introduction.tsx";
import { OperationHead } from "./operation.tsx";
import type { ListedOperation } from "./operations.ts";

/** Prints the whole document instead of what is on the screen. */
export function printWith(reading: ReadingContext, operations: readonly ListedOperation[]): () => void {
  const place = document.createElement("div");
  place.className = "printed";
  document.body.append(place);
  // The browser prints what is there when the event handler returns, and `render` is synchronous.
  const show = () =>
    render(
      <Reading.Provider value={{ ...reading, isPrinted: true }}>
        <Printed reading={reading} operations={operations} />
      </Reading.Provider>,
      place,
    );
  const hide = () => render(null, place);
  window.addEventListener("beforeprint", show);
  window.addEventListener("afterprint", hide);
  return () => {
    window.removeEventListener("beforeprint", show);
    window.removeEventListener("afterprint", hide);
    place.remove();
  };
}

interface PrintedProps {
  readonly reading: ReadingContext;
  readonly operations: readonly ListedOperation[];
}

function Printed({ reading, operations }: PrintedProps) {
  const schemas = Object.keys(reading.document.components?.schemas ?? {});
  return (
    <>
      <Introduction />
      {operations.map((operation) => (
        <PrintedOperation key={operation.route} operation={operation} reading={reading} />
      ))}
      {schemas.map((name) => (
        <section key={name} class="panel">
          <h2>{name}</h2>
          <SchemaWithExample schema={{ $ref: `#/components/schemas/${name}` }} isJson />
        </section>
      ))}
    </>
  );
}

function PrintedOperation({ operation, reading }: { operation: ListedOperation; reading: ReadingContext }) {
  const { path, described } = operation;
  const parameters = parametersOf(path, described.parameters);
  return (
    <article class="stack gap-11">
      <OperationHead operation={operation} />
      {parameters.length > 0 && (
        <section class="panel">
          <h3>Parameters</h3>
          <dl class="facts">
            {parameters.map(({ name, in: place, required, description, schema }) => (
              <div key={`${place} ${name}`}>
                <dt>
                  <code class="strong">{name}</code>
                </dt>
                <dd>
                  {[typeLabel(schema), `in the ${place}`, required && "required", ...constraintLabels(schema)]
                    .filter(Boolean)
                    .join(" · ")}
                  {description && <p>{description}</p>}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {Object.entries(described.requestBody?.content ?? {}).map(([type, { schema }]) => (
        <section key={type} class="panel">
          <h3>Body: {type}</h3>
          <SchemaWithExample schema={schema} isJson={/json/.test(type)} purpose="request" />
        </section>
      ))}
      {described.responses && <Responses responses={described.responses} />}
      <CodeBlock text={sampleOf(operation, reading)} label="Request with curl" />
    </article>
  );
}

function sampleOf(operation: ListedOperation, { document, version }: ReadingContext): string {
  const { path, described } = operation;
  const places = requiresAuth(described) ? schemesOf(document, described).map(placeOf) : [];
  const { request } = prepare(
    operation,
    parametersOf(path, described.parameters),
    createDraft(document, described),
  );
  return toCurl(
    toSample({ request, origin: originsOf(document, version, window.location.href)[0]!, places }),
  );
}
