// Mistakes that do not compile. The line above each contains the first line of the error.
import { bodyLimit, type RequestEvent, type Router, requireAuth } from "annex";

declare const router: Router;
declare const isEven: boolean;
const ok = (e: RequestEvent) => e.noContent();

// error: Argument of type '() => { ok: boolean; }' is not assignable to parameter of type '"The handler of GET /object/{id} returns a value that is not sent. Return e.json(200, data), another response, or nothing."'.
router.get("/object/{id}", () => ({ ok: true }));

// error: Argument of type '() => Promise<number[]>' is not assignable to parameter of type '"The handler of POST /async returns a value that is not sent. Return e.json(200, data), another response, or nothing."'.
router.post("/async", async () => [1, 2]);

// error: Argument of type '() => string' is not assignable to parameter of type '"The handler of PUT /text returns a value that is not sent. Return e.json(200, data), another response, or nothing."'.
router.put("/text", () => "hello");

// error: Argument of type '() => Response' is not assignable to parameter of type '"The handler of PATCH /fetch returns a value that is not sent. Return e.json(200, data), another response, or nothing."'.
router.patch("/fetch", () => new Response("hello"));

// error: Argument of type '(_request: unknown, response: { end(): void; }) => void' is not assignable to parameter of type 'Handler<never>'.
router.delete("/express", (_request: unknown, response: { end(): void }) => response.end());

// error: Argument of type '(e: RequestEvent<never>) => SentResponse<200, never[]> | { ok: boolean; }' is not assignable to parameter of type '"The handler of GET /mixed returns a value that is not sent. Return e.json(200, data), another response, or nothing."'.
router.get("/mixed", (e) => (isEven ? e.json(200, []) : { ok: true }));

const handlers = { right: ok, wrong: () => ({ ok: true }) };
for (const [name, handler] of Object.entries(handlers)) {
  // error: Argument of type '((e: RequestEvent<string>) => SentResponse<204, never>) | (() => { ok: boolean; })' is not assignable to parameter of type '((e: RequestEvent<string>) => SentResponse<204, never>) | `The handler of GET /loop/${string} returns a value that is not sent. Return e.json(200, data), another response, or nothing.`'.
  router.get(`/loop/${name}`, handler);
}

// error: Argument of type '(options?: RequireAuthOptions | undefined) => MiddlewareHandler<string>' is not assignable to parameter of type '"This function creates middleware. Call it, as in requireAuth()."'.
router.get("/uncalled", ok).bind(requireAuth);

// error: Argument of type '(options?: RequireAuthOptions | undefined) => MiddlewareHandler<string>' is not assignable to parameter of type '"This function creates middleware. Call it, as in requireAuth()."'.
router.bind(requireAuth);

// error: Argument of type '(bytes: number) => MiddlewareHandler<string>' is not assignable to parameter of type '"This function creates middleware. Call it, as in requireAuth()."'.
router.use((e) => e.next(), bodyLimit);

// error: Argument of type 'MiddlewareHandler<string>' is not assignable to parameter of type 'Handler<never>'.
router.get("/guard", requireAuth());

// error: Type '() => { items: never[]; }' is not assignable to type '"The handler \"list\" of the resource \"notes\" returns a value that is not sent. Return e.json(200, data), another response, or nothing."'.
router.crud("notes", { get: ok, list: () => ({ items: [] }) });

// error: Argument of type '(options?: RequireAuthOptions | undefined) => MiddlewareHandler<string>' is not assignable to parameter of type '"This function creates middleware. Call it, as in requireAuth()."'.
router.crud("doors", { create: ok }, requireAuth);

// error: Argument of type '(e: RequestEvent<string>) => Promise<{ user: Identity | null; }>' is not assignable to parameter of type '"This middleware returns a value that is not sent. Return e.next(), e.json(200, data), another response, or nothing."'.
router.bindFunc(async (e) => ({ user: e.auth }));

// error: Argument of type '"name"' is not assignable to parameter of type '"id"'.
router.get("/path/{id}", (e) => e.text(200, e.pathValue("name")));

// error: Argument of type 'undefined' is not assignable to parameter of type 'Handler<never>'.
router.get("/nothing", undefined);

// error: Argument of type 'MiddlewareHandler<string>' is not assignable to parameter of type 'AnyFunction<string>'.
router.bindFunc(requireAuth());
