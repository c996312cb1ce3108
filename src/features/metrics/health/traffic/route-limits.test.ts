import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limitsFrom, parseRouteLimit } from "./route-limits.ts";

const options = { errorPercent: 5, routeErrorPercent: 10, p95Ms: 10_000, routes: [] };

describe("the limits of routes", () => {
  it("are those of all requests or of all routes, unless a route has its own", () => {
    const limitsOf = limitsFrom({
      ...options,
      routes: ["POST /checkout errors=20% p95=2.5s", "GET /export/{id} p95=off", "GET /flaky errors=off"],
    });
    assert.deepEqual(limitsOf(undefined), { errorShare: { value: 0.05 }, p95Ms: { value: 10_000 } });
    assert.deepEqual(limitsOf("GET /"), { errorShare: { value: 0.1 }, p95Ms: { value: 10_000 } });
    assert.deepEqual(limitsOf("POST /checkout"), {
      errorShare: { value: 0.2, isFixed: true },
      p95Ms: { value: 2_500, isFixed: true },
    });
    const off = { value: Number.POSITIVE_INFINITY, isFixed: true };
    assert.deepEqual(limitsOf("GET /export/{id}"), { errorShare: { value: 0.1 }, p95Ms: off });
    assert.deepEqual(limitsOf("GET /flaky").errorShare, off);
  });

  for (const line of [
    "",
    "/checkout errors=20%",
    "POST checkout errors=20%",
    "POST /checkout",
    "POST /checkout errors=20",
    "POST /checkout p95=2",
    "POST /checkout p95=2%",
    "POST /checkout errors=2s",
    "POST /checkout p99=2s",
    "POST /checkout errors=-1%",
    "POST /checkout errors=20% and more",
  ]) {
    it(`cannot be ${JSON.stringify(line)}`, () => {
      assert.throws(() => parseRouteLimit(line), /^Error: a route with its limits, such as POST \/checkout/);
    });
  }
});
