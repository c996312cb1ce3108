import { compileChecks } from "../checks/compile.ts";
import { type Findings, noFindings, type OperationFacts } from "../model/facts.ts";
import type { Analysis } from "../openapi/analysis.ts";
import { DocumentWriter } from "../openapi/document-writer.ts";
import { expectedBody } from "../openapi/expected-body.ts";
import { toFoundCode } from "../openapi/found-code.ts";
import { splitAtHost } from "../openapi/written-document.ts";
import { type Endpoint, toEndpointData } from "../registry/endpoint.ts";

export interface Found extends Partial<Omit<Findings, "facts">> {
  factsOf?(endpoint: Endpoint): OperationFacts | undefined;
}

/** An analysis with these findings, without a thread. */
export function createAnalysis({ factsOf = () => undefined, ...found }: Found): Analysis {
  const findings = { ...noFindings, ...found };
  const describe = (endpoints: readonly Endpoint[]) => {
    const facts: Record<string, OperationFacts> = {};
    const described = endpoints.map((endpoint, index) => {
      const known = factsOf(endpoint);
      if (known) facts[index] = known;
      return toEndpointData(endpoint, `${index}`);
    });
    return { described, facts };
  };
  return {
    level: findings.level,
    diagnostics: findings.diagnostics,
    outlineOf(endpoint) {
      const facts = factsOf(endpoint);
      const lookup = (identity: string) => findings.schemas[identity]?.schema;
      return facts && { source: facts.source, ...expectedBody(facts.requestBody, lookup) };
    },
    async compile(endpoints) {
      const { described, facts } = describe(endpoints);
      return { code: compileChecks(described, { ...findings, facts }), files: {} };
    },
    async write({ endpoints, ...order }) {
      const { described, facts } = describe(endpoints);
      const parts = { ...order, endpoints: described, findings: { ...findings, facts } };
      return splitAtHost(new DocumentWriter().write(parts));
    },
    listCode: async () => toFoundCode(findings),
  };
}
