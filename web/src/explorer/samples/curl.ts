import type { Body } from "../draft/draft.ts";
import type { SampleRequest, Text } from "./sample-request.ts";

export function toCurl({ method, url, query, headers, body }: SampleRequest): string {
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`,
    // curl escapes the value.
    ...query.map(([name, value]) => `--url-query ${word([`${name}=`, value])}`),
    ...headers.map(([name, value]) => `-H ${word([`${name}: `, ...value])}`),
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

/** A text as one word of a shell. Within double quotes, the shell replaces variables. */
function word(text: Text): string {
  if (text.every((part) => typeof part === "string")) return quote(text.join(""));
  const parts = text.map((part) =>
    typeof part === "string" ? part.replace(/["$`\\]/g, "\\$&") : `$${part.variable}`,
  );
  return `"${parts.join("")}"`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
