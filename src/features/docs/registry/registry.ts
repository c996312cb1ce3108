import { showLocation } from "../../../lib/source/source-location.ts";
import { ROUTES_LOOK_ALIKE } from "../errors.ts";
import { authOf, type Endpoint } from "./endpoint.ts";

/** The endpoints of one version. Versions do not share registries. */
export class APIRegistry {
  private readonly endpoints: Endpoint[] = [];
  private readonly byShape = new Map<string, Endpoint>();
  private changes = 0;

  /** Increases with every change, so that callers know when data derived from the endpoints is out of date. */
  get revision(): number {
    return this.changes;
  }

  /** The number of endpoints. */
  get size(): number {
    return this.endpoints.length;
  }

  /** A copy, in the order of registration. */
  list(): Endpoint[] {
    return [...this.endpoints];
  }

  /**
   * Adds an endpoint. Throws if another one differs only in the names of its path parameters, because both would be one
   * path in the document.
   */
  add(endpoint: Endpoint): void {
    const shape = endpoint.path.replace(/\{[^}]*\}/g, "{}");
    const other = this.byShape.get(shape);
    if (other && other.path !== endpoint.path) throw ROUTES_LOOK_ALIKE(show(endpoint), show(other));
    this.byShape.set(shape, endpoint);
    this.endpoints.push(endpoint);
    this.changes++;
  }

  /** Removes all endpoints, before the version's routes are registered again. */
  clear(): void {
    this.endpoints.length = 0;
    this.byShape.clear();
    this.changes++;
  }

  /** The number of endpoints: in total, by method, and by whether they require authentication. */
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
