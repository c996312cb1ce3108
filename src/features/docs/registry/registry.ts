import { showLocation } from "../../../lib/source/source-location.ts";
import { ROUTES_LOOK_ALIKE } from "../errors.ts";
import { authOf, type Endpoint } from "./endpoint.ts";

/** The numbers of a version's endpoints. */
export interface EndpointStats {
  /** All endpoints. */
  readonly total: number;
  /** GET endpoints. */
  readonly get: number;
  /** POST endpoints. */
  readonly post: number;
  /** PUT endpoints. */
  readonly put: number;
  /** PATCH endpoints. */
  readonly patch: number;
  /** DELETE endpoints. */
  readonly delete: number;
  /** Endpoints that require authentication. */
  readonly auth_required: number;
  /** Endpoints without authentication. */
  readonly auth_none: number;
}

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
  stats(): EndpointStats {
    const count = (isCounted: (endpoint: Endpoint) => boolean) => this.endpoints.filter(isCounted).length;
    const ofMethod = (name: string) => count(({ method }) => method === name);
    const auth_none = count((endpoint) => authOf(endpoint.notes()) === "none");
    return {
      total: this.size,
      get: ofMethod("GET"),
      post: ofMethod("POST"),
      put: ofMethod("PUT"),
      patch: ofMethod("PATCH"),
      delete: ofMethod("DELETE"),
      auth_required: this.size - auth_none,
      auth_none,
    };
  }
}

function show({ method, path, source }: Endpoint): string {
  return `${method} ${path}${source ? ` at ${showLocation(source)}` : ""}`;
}
