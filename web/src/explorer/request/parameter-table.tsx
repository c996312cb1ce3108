import { useContext, useId } from "preact/hooks";
import type { Parameter, Schema } from "../../../../src/features/docs/wire.ts";
import { type Column, Table } from "../../ui/lists/table.tsx";
import { Badge } from "../../ui/status.tsx";
import { isList, keyOf } from "../draft/draft.ts";
import { resolveSchema } from "../openapi/document.ts";
import { constraintLabels, typeLabel } from "../openapi/schema-labels.ts";
import { Reading } from "../reading.ts";

interface ParameterTableProps {
  readonly parameters: readonly Parameter[];
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, string>>;
  readonly sendsCookies: boolean;
  onWrite(parameter: Parameter, value: string): void;
}

/** The parameters, each with its description and a field for its value. */
export function ParameterTable({ parameters, values, problems, sendsCookies, onWrite }: ParameterTableProps) {
  const columns: Column<Parameter>[] = [
    { name: "name", label: "Parameter", isHead: true, cell: (parameter) => <Name parameter={parameter} /> },
    { name: "about", label: "Description", cell: (parameter) => <About parameter={parameter} /> },
    {
      name: "value",
      label: "Value",
      cell: (parameter) => (
        <ValueField
          parameter={parameter}
          value={values[keyOf(parameter)] ?? ""}
          problem={problems[keyOf(parameter)]}
          sendsCookies={sendsCookies}
          onWrite={(value) => onWrite(parameter, value)}
        />
      ),
    },
  ];
  return <Table caption="Parameters" columns={columns} rows={parameters} keyOf={keyOf} />;
}

function Name({ parameter: { name, in: place, required } }: { parameter: Parameter }) {
  return (
    <span class="cluster baseline">
      <code class="strong">{name}</code>
      <span class="hint">in the {place}</span>
      {required && <Badge tone="info">required</Badge>}
    </span>
  );
}

function About({ parameter: { schema = {}, description, "x-source": source } }: { parameter: Parameter }) {
  const { document } = useContext(Reading);
  const found = resolveSchema(document, schema);
  return (
    <span class="stack gap-2">
      <span class="cluster baseline">
        <code class="schema-type">{typeLabel(schema)}</code>
        <span class="hint">{constraintLabels(found).join(" · ")}</span>
      </span>
      {description && <span>{description}</span>}
      {source && (
        <code class="quiet small" title="Where it is read">
          {source}
        </code>
      )}
    </span>
  );
}

interface ValueFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly problem: string | undefined;
  readonly sendsCookies: boolean;
  onWrite(value: string): void;
}

function ValueField({ parameter, value, problem, sendsCookies, onWrite }: ValueFieldProps) {
  const { document } = useContext(Reading);
  const id = useId();
  if (parameter.in === "cookie" && !sendsCookies)
    return <span class="hint">The browser sends cookies only with your session.</span>;
  const schema = resolveSchema(document, parameter.schema ?? {});
  const common = {
    "aria-label": `Value of ${parameter.name}`,
    ...(problem && { "aria-invalid": true as const, "aria-describedby": id }),
    value,
  };
  const choices = choicesOf(schema);
  return (
    <span class="field">
      {choices ? (
        <select {...common} onChange={(event) => onWrite(event.currentTarget.value)}>
          <option value="">{parameter.required ? "Choose…" : "not sent"}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          type="text"
          // Accepts any text, because users may want to test invalid values.
          inputMode={schema.type === "integer" || schema.type === "number" ? "decimal" : "text"}
          placeholder={parameter.in === "cookie" ? "the browser's own" : placeholderOf(schema)}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onWrite(event.currentTarget.value)}
        />
      )}
      {problem && (
        <span class="field-problem" id={id}>
          {problem}
        </span>
      )}
    </span>
  );
}

function choicesOf(schema: Schema): readonly string[] | undefined {
  if (schema.type === "boolean") return ["true", "false"];
  return schema.enum?.map(String);
}

function placeholderOf(schema: Schema): string {
  if (isList(schema)) return "comma-separated list";
  return schema.default === undefined ? "" : String(schema.default);
}
