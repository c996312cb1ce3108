// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
interface T {
  id: number;
}
declare function find(): Promise<T | undefined>;
declare function vd(): void;
export function routes(r: VersionedRouter) {
  r.get("/a", async (e) => e.json(200, await find()));
  r.get("/b", (e) => e.json(200, vd()));
  r.get("/c", (e) => e.json(200, undefined));
  r.get("/d", async (e) => e.json(200, (await find())?.id));
}
