import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { RouteCheck } from "../src/http/index.ts";
import { APIVersionManager, type App, type OpenAPIDocument, type Router } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { createRandom } from "./fuzz/random.ts";
import { addRoutes, zodSchemas } from "./support/checked-inputs.ts";
import { createJudge } from "./support/json-schema.ts";
import { mutate } from "./support/mutate.ts";
import { SchemaValues } from "./support/schema-values.ts";

const seed = 19_002;
const values = 10_000;
const requests = 250;

/** Requests to routes with `checked()`, made of their document: allowed ones, and ones with a few changes. */
describe("the checks of routes, the document and zod", () => {
  const cleanups: (() => unknown)[] = [];
  let app: App;
  let url: string;
  let document: OpenAPIDocument;
  const routes = new Map<string, { check: RouteCheck }>();

  before(async () => {
    const versions = new APIVersionManager();
    versions.registerVersion("v1", { checked: true, publicSwagger: true });
    versions.setVersionRouteRegistrar("v1", (router) => addRoutes(remember(router)));
    app = createTestApp({ after: (cleanup) => void cleanups.push(cleanup) }, { versions, dev: true });
    ({ url } = await app.start());
    // On a busy machine, the analysis takes longer than requests wait.
    const send = () => fetch(`${url}/trees`, { method: "POST", headers: json, body: "{}" });
    const first = await until("the source has been analyzed", send, ({ status }) => status !== 503);
    assert.equal(first.status, 400, await first.text());
    document = (await (await fetch(`${url}/api/docs/v1/openapi.json`)).json()) as OpenAPIDocument;
    assert.equal(document["x-analysis"]?.level, "exact");
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  const json = { "content-type": "application/json" };

  /** The same router. Its routes can be looked up by path. */
  function remember(router: Router): Router {
    const post = (path: string, handler: never) => {
      const route = router.post(path, handler);
      routes.set(path, route as unknown as { check: RouteCheck });
      return route;
    };
    return { ...router, post: post as unknown as Router["post"] };
  }

  function createGenerator(path: string, salt: number) {
    const random = createRandom(seed + salt);
    const generated = new SchemaValues(document, random);
    const { schema } = document.paths[path]!.post!.requestBody!.content["application/json"]!;
    const judge = createJudge(document).compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')),
    );
    const next = () => {
      const value = generated.create(schema);
      // As a client sends it.
      return JSON.parse(JSON.stringify(random.chance(0.3) ? value : mutate(value, random))) as unknown;
    };
    return { next, judge };
  }

  const paths = Object.keys(zodSchemas);
  paths.forEach((path, index) => {
    it(`agree on ${values / paths.length} values for ${path}`, () => {
      const { next, judge } = createGenerator(path, index);
      const find = routes.get(path)!.check.body!.types.get("application/json")!;
      const counts = { accepted: 0, refused: 0 };
      const differences: string[] = [];
      for (let count = 0; count < values / paths.length; count++) {
        const value = next();
        const isAccepted = find(value) === undefined;
        const others = [judge(value), zodSchemas[path]!.safeParse(value).success];
        counts[isAccepted ? "accepted" : "refused"]++;
        if (others.some((each) => each !== isAccepted))
          differences.push(`${JSON.stringify(value)}: ${[isAccepted, ...others]}`);
      }
      assert.deepEqual(differences.slice(0, 5), []);
      assert.ok(
        Math.min(counts.accepted, counts.refused) > values / paths.length / 10,
        JSON.stringify(counts),
      );
    });

    it(`hold for requests to ${path}`, async () => {
      const { next, judge } = createGenerator(path, index + 100);
      const problems: string[] = [];
      for (let count = 0; count < requests; count++) {
        const body = JSON.stringify(next());
        const isAllowed = judge(JSON.parse(body));
        const response = await fetch(url + path, { method: "POST", headers: json, body });
        const text = await response.text();
        if (!isExpected(isAllowed, response.status, text))
          problems.push(`${body} is ${isAllowed ? "allowed" : "refused"}: ${text}`);
      }
      assert.deepEqual(problems.slice(0, 5), []);
    });
  });

  it("hold for query parameters", async () => {
    const random = createRandom(seed);
    // Each with whether the document allows it.
    const choices: Record<string, [text: string, isAllowed: boolean][]> = {
      page: [
        ["1", true],
        ["-3", true],
        ["1.5", false],
        ["x", false],
        ["", false],
        ["1e3", false],
        ["01", false],
        [" 1", false],
      ],
      most: [
        ["1", true],
        ["1.5", true],
        ["-2e3", true],
        ["x", false],
        ["", false],
        ["0x10", false],
        ["Infinity", false],
      ],
      open: [
        ["true", true],
        ["false", true],
        ["1", false],
        ["TRUE", false],
        ["", false],
      ],
      state: [
        ["a", true],
        ["", true],
      ],
      sort: [
        ["name", true],
        ["7", true],
      ],
      other: [["anything", true]],
    };
    for (let count = 0; count < requests; count++) {
      const query = new URLSearchParams();
      let isAllowed = true;
      for (const [name, options] of Object.entries(choices)) {
        if (name !== "sort" && random.chance(0.6)) continue;
        const [text, isGood] = random.pick(options);
        query.append(name, text);
        isAllowed &&= isGood;
      }
      const response = await fetch(`${url}/orders?${query}`);
      const text = await response.text();
      assert.ok(isExpected(isAllowed, response.status, text), `${query}: ${response.status} ${text}`);
    }
    const missing = await fetch(`${url}/orders`);
    const { data } = (await missing.json()) as { data: object };
    assert.deepEqual([missing.status, Object.keys(data)], [400, ["sort"]]);
  });
});

/** Allowed requests reach the handler. Others are refused with the path of at least one field. */
function isExpected(isAllowed: boolean, status: number, text: string): boolean {
  const { reached, data = {} } = JSON.parse(text) as { reached?: boolean; data?: object };
  if (isAllowed) return status === 200 && reached === true;
  return status === 400 && Object.keys(data).length > 0;
}
