import type { RequestBody } from "../../../../src/features/docs/wire.ts";
import { exampleOf } from "../examples/schema-example.ts";
import type { OpenApi, Operation } from "../openapi/document.ts";
import { bodyKindOf, type Draft } from "./draft.ts";

/** A request with an example of the body. */
export function createDraft(document: OpenApi, { requestBody }: Operation): Draft {
  const contentType = Object.keys(requestBody?.content ?? {})[0];
  return { values: {}, contentType, text: exampleText(document, requestBody, contentType), form: {} };
}

/** An initial body; empty if the body is not text. */
export function exampleText(
  document: OpenApi,
  body: RequestBody | undefined,
  type: string | undefined,
): string {
  if (!body || type === undefined) return "";
  const schema = body.content[type]?.schema ?? {};
  const kind = bodyKindOf(type);
  if (kind === "json") return JSON.stringify(exampleOf(document, schema, "request"), null, 2);
  return kind === "text" ? String(exampleOf(document, schema, "request") ?? "") : "";
}
