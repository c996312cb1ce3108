import type { Body } from "../draft/draft.ts";
import {
  jsonValue,
  type SampleRequest,
  type StringSyntax,
  type Text,
  textCode,
  urlCode,
  variablesOf,
} from "./sample-request.ts";

/** A JSON string is also a Python string: `JSON.stringify` escapes no surrogate pairs. */
const quote = (value: string): string => JSON.stringify(value);

const syntax: StringSyntax = {
  quote,
  read: (variable) => `os.environ["${variable}"]`,
  encode: (expression) => `quote(${expression}, safe="")`,
  plus: " + ",
};

/** A program that uses the `requests` package. */
export function toPython(sample: SampleRequest): string {
  const { method, query, headers, body } = sample;
  const sent = headers.filter(([name, value]) => !isSetByRequests(body, name, value));
  const options = [
    urlCode(sample, syntax),
    ...(sent.length > 0 ? [headerLines(sent)] : []),
    ...(body ? bodyOptions(body) : []),
  ];
  const variables = variablesOf(sample);
  return [
    ...(variables.length > 0 ? ["import os"] : []),
    ...(query.length > 0 ? ["from urllib.parse import quote"] : []),
    ...(variables.length > 0 ? [""] : []),
    "import requests",
    "",
    `response = requests.request(\n    ${[quote(method), ...options].join(",\n    ")},\n)`,
    "print(response.status_code, response.text)",
  ].join("\n");
}

/** `json=` sets the content type. */
function isSetByRequests(body: Body | undefined, name: string, value: Text): boolean {
  return (
    body?.kind === "text" &&
    isJson(body) &&
    /^content-type$/i.test(name) &&
    value.join("") === "application/json"
  );
}

function isJson(body: Body & { kind: "text" }): boolean {
  return jsonValue(body.text) !== undefined;
}

function headerLines(headers: SampleRequest["headers"]): string {
  const lines = headers.map(([name, value]) => `        ${quote(name)}: ${textCode(value, syntax)},`);
  return `headers={\n${lines.join("\n")}\n    }`;
}

function bodyOptions(body: Body): string[] {
  if (body.kind === "text") {
    const json = jsonValue(body.text);
    return [json ? `json=${literal(json.value, "    ")}` : `data=${quote(body.text)}.encode()`];
  }
  if (body.kind === "file") return [`data=open(${quote(body.file.name)}, "rb")`];
  if (body.kind === "form") return [`data=${pairs(body.fields, (value) => quote(value as string))}`];
  // A part without a file name is a plain field.
  return [
    `files=${pairs(body.fields, (value) =>
      typeof value === "string" ? `(None, ${quote(value)})` : `open(${quote(value.name)}, "rb")`,
    )}`,
  ];
}

/** A list and not a dictionary, because a name can occur twice. */
function pairs(
  fields: readonly (readonly [string, string | File])[],
  write: (value: string | File) => string,
): string {
  return `[${fields.map(([name, value]) => `(${quote(name)}, ${write(value)})`).join(", ")}]`;
}

function literal(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const entries = Array.isArray(value)
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(([key, each]) => `${quote(key)}: ${literal(each, inner)}`);
  if (entries.length === 0) return `${open}${close}`;
  return `${open}\n${entries.map((entry) => `${inner}${entry},`).join("\n")}\n${indent}${close}`;
}
