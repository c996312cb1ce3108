import type { CredentialFacts, Findings, OperationFacts } from "../model/facts.ts";
import type { Operation, SecurityScheme } from "../model/openapi.ts";
import { authOf, type EndpointData } from "../registry/endpoint.ts";
import { basicAuth, bearerAuth } from "./components/shared-components.ts";

type Schemes = Readonly<Record<string, SecurityScheme>>;

/**
 * The security schemes of a document, and the ones that an operation requires. Schemes declared by the version come
 * first. Without them, the scheme is derived from the application's `authenticate` function. Otherwise it is the
 * superusers' bearer token.
 */
export class Security {
  private readonly declared: Schemes;
  private readonly derived: [name: string, scheme: SecurityScheme] | undefined;
  private readonly isUnknown: boolean;
  private readonly used: Record<string, SecurityScheme> = {};

  constructor(declared: Schemes, { credential }: Pick<Findings, "credential">) {
    this.declared = declared;
    this.isUnknown = credential === "unknown";
    this.derived = credential && credential !== "unknown" ? schemeOf(credential) : undefined;
  }

  /** `undefined` if the required scheme is not known; empty if none is required. */
  requirementOf(
    { notes }: EndpointData,
    { authorization }: OperationFacts,
  ): Operation["security"] | undefined {
    const demanded = this.demandedBy(notes);
    if (demanded === "unknown") return undefined;
    const own = authorization && this.use(...this.authorizationScheme(authorization.scheme));
    const needed = [...new Set([demanded, authorization?.isRequired ? own : undefined])].filter(
      (name) => name !== undefined,
    );
    const requirement = Object.fromEntries(needed.map((name) => [name, []]));
    if (needed.length > 0) return [requirement];
    return own === undefined ? [] : [{}, { [own]: [] }];
  }

  /** The schemes that operations require and those that the version declares. */
  get schemes(): Schemes {
    return { ...this.declared, ...this.used };
  }

  private demandedBy(notes: EndpointData["notes"]): string | "unknown" | undefined {
    const auth = authOf(notes);
    if (auth === "none") return undefined;
    if (auth === "superuser") return this.use("bearerAuth", bearerAuth);
    const named = notes.findLast(({ scheme }) => scheme !== undefined)?.scheme;
    if (named !== undefined) return Object.hasOwn(this.declared, named) ? named : "unknown";
    const [only, another] = Object.keys(this.declared);
    if (only !== undefined) return another === undefined ? only : "unknown";
    if (this.derived) return this.use(...this.derived);
    return this.isUnknown ? "unknown" : this.use("bearerAuth", bearerAuth);
  }

  /** A declared scheme of the same kind, or the built-in one. */
  private authorizationScheme(kind: "bearer" | "basic"): [string, SecurityScheme] {
    const declared = Object.entries(this.declared).find(
      ([, scheme]) => scheme.type === "http" && scheme.scheme.toLowerCase() === kind,
    );
    return declared ?? (kind === "basic" ? ["basicAuth", basicAuth] : ["bearerAuth", bearerAuth]);
  }

  private use(name: string, scheme: SecurityScheme): string {
    if (!Object.hasOwn(this.declared, name)) this.used[name] = scheme;
    return name;
  }
}

function schemeOf({ in: place, name, scheme }: CredentialFacts): [string, SecurityScheme] | undefined {
  if (scheme === "basic") return ["basicAuth", basicAuth];
  if (scheme === "bearer") return ["bearerAuth", bearerAuth];
  if (place === "path") return undefined;
  return [place === "cookie" ? "cookieAuth" : "apiKeyAuth", { type: "apiKey", in: place, name }];
}
