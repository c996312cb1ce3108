import { showLocation } from "../../lib/source-location.ts";
import { ROUTES_LOOK_ALIKE } from "../errors.ts";
import { authOf, type Endpoint } from "./endpoint.ts";

/** The endpoints of one version. No version sees another's. */
export class APIRegistry {
  private readonly endpoints: Endpoint[] = [];
  private readonly byShape = new Map<string, Endpoint>();
  private changes = 0;

  /** Counts the changes, so that whoever keeps something made of the endpoints knows when it is old. */
  get revision(): number {
    return this.changes;
  }

  get size(): number {
    return this.endpoints.length;
  }

  /** A copy, in the order of registration. */
  list(): Endpoint[] {
    return [...this.endpoints];
  }

  /** Takes an endpoint in. Two that differ only in the names of their path values would be one path in the document. */
  add(endpoint: Endpoint): void {
    const shape = endpoint.path.replace(/\{[^}]*\}/g, "{}");
    const other = this.byShape.get(shape);
    if (other && other.path !== endpoint.path) throw ROUTES_LOOK_ALIKE(show(endpoint), show(other));
    this.byShape.set(shape, endpoint);
    this.endpoints.push(endpoint);
    this.changes++;
  }

  /** Forgets all endpoints; the version's routes are about to be registered anew. */
  clear(): void {
    this.endpoints.length = 0;
    this.byShape.clear();
    this.changes++;
  }

  /** How many endpoints there are: in all, by method, and by whether they need an identity. */
  stats(): Record<string, number> {
    const stats: Record<string, number> = { total: this.size };
    const count = (key: string) => {
      stats[key] = (stats[key] ?? 0) + 1;
    };
    for (const endpoint of this.endpoints) {
      count(endpoint.method.toLowerCase());
      count(authOf(endpoint.notes()) === "none" ? "auth_none" : "auth_required");
    }
    return { auth_required: 0, auth_none: 0, ...stats };
  }
}

function show({ method, path, source }: Endpoint): string {
  return `${method} ${path}${source ? ` at ${showLocation(source)}` : ""}`;
}
