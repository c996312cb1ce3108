import type { Body, PreparedRequest } from "./draft.ts";

/**
 * The same request for other tools. Snippets never contain a token, because they are likely to be pasted into shared
 * places.
 */

export interface SnippetParts {
  readonly request: PreparedRequest;
  readonly origin: string;
  readonly isSigned: boolean;
}

export function toCurl({ request, origin, isSigned }: SnippetParts): string {
  const { method, address, headers, body } = request;
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quote(origin + address)}`,
    ...(isSigned ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body ? curlBody(body) : []),
  ];
  return lines.join(" \\\n  ");
}

function curlBody(body: Body): string[] {
  if (body.kind === "text") return [`--data-raw ${quote(body.text)}`];
  if (body.kind === "file") return [`--data-binary ${quote(`@${body.file.name}`)}`];
  return body.fields.map(([name, value]) => {
    if (typeof value !== "string") return `-F ${quote(`${name}=@${value.name}`)}`;
    return body.kind === "form"
      ? `--data-urlencode ${quote(`${name}=${value}`)}`
      : `--form-string ${quote(`${name}=${value}`)}`;
  });
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function toFetch({ request, origin, isSigned }: SnippetParts): string {
  const { method, address, headers, body } = request;
  const fields = [
    ...(isSigned ? ['    Authorization: "Bearer " + token,'] : []),
    ...headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(fields.length > 0 ? ["  headers: {", ...fields, "  },"] : []),
    ...(body ? [`  body: ${fetchBody(body)},`] : []),
  ];
  const init = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  const form = body?.kind === "parts" ? `${formLines(body).join("\n")}\n\n` : "";
  return `${form}const response = await fetch(${JSON.stringify(origin + address)}${init});\nconsole.log(response.status, await response.text());`;
}

function fetchBody(body: Body): string {
  if (body.kind === "parts") return "form";
  if (body.kind === "file") return "file";
  if (body.kind === "form") return `new URLSearchParams(${JSON.stringify(body.fields)})`;
  const compact = compactJson(body.text);
  return compact === undefined ? JSON.stringify(body.text) : `JSON.stringify(${compact})`;
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

/** JSON is valid JavaScript, so a valid JSON body is inserted unquoted. */
function compactJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text.trim().replaceAll("\n", "\n  ");
  } catch {
    return undefined;
  }
}
