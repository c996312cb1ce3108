// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

class HttpException extends Error {
  readonly status = 418;
}

declare function check(): boolean;

function getThing(e: RequestEvent) {
  if (check()) throw new ApiError(404, "Not the one of the package.");
  if (check()) throw new HttpException("Unknown to the server.");
  if (check()) throw { status: 409 };
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/thing", getThing);
}
