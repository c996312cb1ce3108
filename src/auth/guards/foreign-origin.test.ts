import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { InjectRequest } from "../../http/index.ts";
import { createBrowser } from "../testing/browser.ts";
import { ada, createOwnedServer, createTestServer } from "../testing/server.ts";

const collection = "/api/collections/_superusers";
const wrong = { ...ada, password: "indifference" };

const foreign: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site", origin: "http://127.0.0.1:3000" },
  { origin: "https://evil.example" },
  { origin: "http://127.0.0.1:8091" },
  { origin: "null" },
];

describe("a request from a page of another origin", () => {
  for (const headers of foreign) {
    test(`cannot sign in or lock anyone out: ${JSON.stringify(headers)}`, async (t) => {
      const { inject, hasher } = await createOwnedServer(t);
      const before = hasher.verified;
      const signIn = (credentials: typeof ada, body: InjectRequest["body"]) =>
        inject({
          method: "POST",
          url: `${collection}/auth-with-password`,
          headers,
          body: body ?? credentials,
        });
      for (let count = 0; count < 6; count++) {
        const response = await signIn(wrong, count % 2 ? new URLSearchParams(wrong) : wrong);
        assert.equal(response.status, 403);
        assert.match(response.body, /Cross-site requests/);
      }
      assert.equal((await signIn(ada, ada)).status, 403);
      assert.equal(hasher.verified, before);
      const url = `${collection}/auth-with-password`;
      assert.equal((await inject({ method: "POST", url, body: ada })).status, 200);
    });
  }

  for (const path of ["/auth-refresh", "/auth-logout"]) {
    test(`cannot use ${path}, even with a token`, async (t) => {
      const { inject, token } = await createOwnedServer(t);
      for (const headers of foreign) {
        const request = {
          method: "POST",
          url: collection + path,
          headers: { ...headers, authorization: token },
        };
        assert.equal((await inject(request)).status, 403);
      }
      const url = `${collection}/records`;
      assert.equal((await inject({ url, headers: { authorization: token } })).status, 200);
    });
  }

  for (const url of ["/_/sign-in", "/_/sign-out", "/_/setup"]) {
    test(`cannot send the form ${url}, and is not counted`, async (t) => {
      const server = url === "/_/setup" ? await createTestServer(t) : await createOwnedServer(t);
      const browser = createBrowser(server);
      for (const headers of foreign) {
        const response = await browser.send(url, wrong, headers);
        assert.equal(response.status, 403, JSON.stringify(headers));
      }
      assert.equal(server.hasher.verified, url === "/_/setup" ? 0 : 1);
    });
  }
});

describe("a request that is not from a foreign page", () => {
  const own: Record<string, string>[] = [
    {},
    { "sec-fetch-site": "same-origin", origin: "http://127.0.0.1" },
    { "sec-fetch-site": "none" },
    { origin: "http://127.0.0.1" },
  ];
  for (const headers of own) {
    test(`signs in over the API: ${JSON.stringify(headers)}`, async (t) => {
      const { inject } = await createOwnedServer(t);
      const url = `${collection}/auth-with-password`;
      assert.equal((await inject({ method: "POST", url, headers, body: ada })).status, 200);
    });
  }
});
