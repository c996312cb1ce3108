import type { OperationFacts } from "../model/facts.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { usableName } from "./operation-ids.ts";

/** A one-line summary: the first sentence of the description, the handler's name in words, or the route. */
export function createSummary(
  { method, handlerName }: Pick<EndpointData, "method" | "handlerName">,
  path: string,
  { description, name }: OperationFacts,
): string {
  const sentence = description && firstSentence(description);
  if (sentence) return sentence;
  const known = usableName(name) ?? usableName(handlerName);
  return known === undefined ? `${method} ${path}` : inWords(known);
}

/** A period inside a word, as in `v1.2` or `e.g.`, does not end a sentence. */
function firstSentence(description: string): string {
  const [paragraph = ""] = description.trim().split(/\n\s*\n/);
  const line = paragraph.replace(/\s+/g, " ").trim();
  return /^.*?(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}

/** `listOpenOrders` becomes "List open orders"; `getHTMLPage` becomes "Get HTML page". */
function inWords(name: string): string {
  const words = name
    .replace(/(?<=.)Handler$/, "")
    .replace(/[_$]+/g, " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .trim()
    .split(/\s+/)
    .map((word) => (/^[A-Z\d]{2,}$/.test(word) ? word : word.toLowerCase()));
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
