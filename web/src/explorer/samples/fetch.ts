import type { Body } from "../draft/draft.ts";
import { jsonValue, type SampleRequest, type StringSyntax, textCode, urlCode } from "./sample-request.ts";

const syntax: StringSyntax = {
  quote: JSON.stringify,
  read: variableName,
  encode: (expression) => `encodeURIComponent(${expression})`,
  plus: " + ",
};

export function toFetch(sample: SampleRequest): string {
  const { method, headers, body } = sample;
  const fields = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${textCode(value, syntax)},`);
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(fields.length > 0 ? ["  headers: {", ...fields, "  },"] : []),
    ...(body ? [`  body: ${bodyCode(body)},`] : []),
  ];
  const init = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  const form = body?.kind === "parts" ? `${formLines(body).join("\n")}\n\n` : "";
  const call = `fetch(${urlCode(sample, syntax)}${init})`;
  return `${form}const response = await ${call};\nconsole.log(response.status, await response.text());`;
}

/** `API_KEY` becomes `apiKey`. */
export function variableName(name: string): string {
  return name.toLowerCase().replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

function bodyCode(body: Body): string {
  if (body.kind === "parts") return "form";
  if (body.kind === "file") return "file";
  if (body.kind === "form") return `new URLSearchParams(${JSON.stringify(body.fields)})`;
  // JSON is valid JavaScript, so it is inserted unquoted.
  if (jsonValue(body.text)) return `JSON.stringify(${body.text.trim().replaceAll("\n", "\n  ")})`;
  return JSON.stringify(body.text);
}

function formLines({ fields }: Body & { kind: "parts" }): string[] {
  return [
    "const form = new FormData();",
    ...fields.map(([name, value]) =>
      typeof value === "string"
        ? `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`
        : `form.append(${JSON.stringify(name)}, file, ${JSON.stringify(value.name)});`,
    ),
  ];
}
