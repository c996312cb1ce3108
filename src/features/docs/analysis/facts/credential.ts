import type { CredentialFacts } from "../../model/facts.ts";
import type { Summary } from "../flow/summaries.ts";
import { authorizationScheme, mergeReads } from "./parameters.ts";

/** The credential that the function reads from a request. "unknown" if it reads none or several. */
export function credentialOf({ effects }: Summary): CredentialFacts | "unknown" {
  const isHidden = effects.problems.some(({ code }) => code === "EVENT_OUT_OF_SIGHT");
  const [read, another] = mergeReads(effects.reads).filter(({ in: place }) => place !== "path");
  if (!read || another || isHidden || effects.bodies.length > 0) return "unknown";
  const isAuthorization = read.in === "header" && /^authorization$/i.test(read.name);
  return { in: read.in, name: read.name, ...(isAuthorization && { scheme: authorizationScheme(read) }) };
}
