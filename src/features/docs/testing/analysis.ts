import { type Findings, noFindings, type OperationFacts } from "../model/facts.ts";
import type { Analysis } from "../openapi/analysis.ts";
import { DocumentWriter } from "../openapi/document-writer.ts";
import { toFoundCode } from "../openapi/found-code.ts";
import { takesObject } from "../openapi/takes-object.ts";
import { splitAtHost } from "../openapi/written-document.ts";
import { type Endpoint, toEndpointData } from "../registry/endpoint.ts";

export interface Found extends Partial<Omit<Findings, "facts">> {
  factsOf?(endpoint: Endpoint): OperationFacts | undefined;
}

/** An analysis with these findings, without a thread. */
export function createAnalysis({ factsOf = () => undefined, ...found }: Found): Analysis {
  const findings = { ...noFindings, ...found };
  return {
    level: findings.level,
    diagnostics: findings.diagnostics,
    outlineOf(endpoint) {
      const facts = factsOf(endpoint);
      const lookup = (identity: string) => findings.schemas[identity]?.schema;
      return facts && { source: facts.source, takesObject: takesObject(facts.requestBody, lookup) };
    },
    async write({ endpoints, ...order }) {
      const facts: Record<string, OperationFacts> = {};
      const described = endpoints.map((endpoint, index) => {
        const known = factsOf(endpoint);
        if (known) facts[index] = known;
        return toEndpointData(endpoint, `${index}`);
      });
      const parts = { ...order, endpoints: described, findings: { ...findings, facts } };
      return splitAtHost(new DocumentWriter().write(parts));
    },
    listCode: async () => toFoundCode(findings),
  };
}
