import assert from "node:assert/strict";
import { type SecurityHeadersOptions, securityHeaders } from "../index.ts";
import { createListener, type TestListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

function createServer(
  t: Parameters<typeof createListener>[0],
  options?: SecurityHeadersOptions,
): Promise<TestListener> {
  const register: Parameters<typeof createListener>[1] = (router) => {
    router.use(securityHeaders(options));
    router.get("/x", (e) => e.noContent());
    router.get("/own", (e) => {
      e.setHeader("Content-Security-Policy", "default-src 'none'");
      return e.noContent();
    });
  };
  return createListener(t, register, { trusted: ["127.0.0.1"] });
}

const https = { "x-forwarded-proto": "https" };
const unrelated = /^(x-trace-id|date|connection|content-length|content-type|cache-control|keep-alive|allow)$/;

async function headersOf({ inject }: TestListener, url: string, headers = {}): Promise<object> {
  const response = await inject({ url, headers });
  return Object.fromEntries(Object.entries(response.headers).filter(([name]) => !unrelated.test(name)));
}

const policy =
  "default-src 'self'; base-uri 'self'; font-src 'self' https: data:; form-action 'self'; frame-ancestors 'self'; " +
  "img-src 'self' data:; object-src 'none'; script-src 'self'; script-src-attr 'none'; " +
  "style-src 'self' https: 'unsafe-inline'";

const usual = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

test("responses have the usual headers, and over HTTPS those that demand HTTPS", async (t) => {
  const server = await createServer(t);
  assert.deepEqual(await headersOf(server, "/x"), usual);
  assert.deepEqual(await headersOf(server, "/x", https), {
    ...usual,
    "content-security-policy": `${policy}; upgrade-insecure-requests`,
    "strict-transport-security": "max-age=31536000; includeSubDomains",
  });
});

test("error responses have them, too", async (t) => {
  const server = await createServer(t);
  for (const url of ["/nothing", "/%zz"]) assert.deepEqual(await headersOf(server, url), usual, url);
});

test("a request that cannot be authenticated gets them as well", async (t) => {
  const server = await createServer(t);
  server.listener.identifyWith((e) => {
    throw e.error(401, "No.");
  });
  assert.deepEqual(await headersOf(server, "/x"), usual);
});

test("an HTML error page has its own policy", async (t) => {
  const server = await createServer(t);
  const { status, headers } = await server.inject({ url: "/nothing", headers: { accept: "text/html" } });
  assert.equal(status, 404);
  assert.match(String(headers["content-security-policy"]), /^default-src 'none'; script-src 'self'/);
});

test("a handler can override a header", async (t) => {
  const server = await createServer(t);
  const { headers } = await server.inject("/own");
  assert.equal(headers["content-security-policy"], "default-src 'none'");
});

test("each header can be changed or left out", async (t) => {
  const server = await createServer(t, {
    contentSecurityPolicy: false,
    strictTransportSecurity: "max-age=60",
    frameOptions: "DENY",
    referrerPolicy: false,
    crossOriginOpenerPolicy: "same-origin-allow-popups",
    crossOriginResourcePolicy: false,
    crossOriginEmbedderPolicy: "require-corp",
    permissionsPolicy: "camera=()",
    originAgentCluster: false,
    dnsPrefetchControl: false,
    downloadOptions: false,
    permittedCrossDomainPolicies: false,
    xssProtection: false,
  });
  const expected = {
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-opener-policy": "same-origin-allow-popups",
    "permissions-policy": "camera=()",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
  assert.deepEqual(await headersOf(server, "/x"), expected);
  const secure = { ...expected, "strict-transport-security": "max-age=60" };
  assert.deepEqual(await headersOf(server, "/x", https), secure);
  const none = await createServer(t, {
    strictTransportSecurity: false,
    contentSecurityPolicy: "default-src https:",
  });
  const { headers } = await none.inject({ url: "/x", headers: https });
  assert.equal(headers["strict-transport-security"], undefined);
  assert.equal(headers["content-security-policy"], "default-src https:");
});

test("directives of the policy can be changed, added and removed", async (t) => {
  const server = await createServer(t, {
    contentSecurityPolicy: {
      "img-src": ["'self'", "https://images.example.com"],
      "connect-src": "'self'",
      "font-src": false,
      "upgrade-insecure-requests": false,
    },
  });
  const { headers } = await server.inject({ url: "/x", headers: https });
  assert.equal(
    headers["content-security-policy"],
    "default-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'; " +
      "img-src 'self' https://images.example.com; object-src 'none'; script-src 'self'; script-src-attr 'none'; " +
      "style-src 'self' https: 'unsafe-inline'; connect-src 'self'",
  );
});

const mistakes: { options: object; message: RegExp }[] = [
  {
    options: { hsts: false },
    message: /^securityHeaders has no option "hsts"\. It has contentSecurityPolicy, /,
  },
  { options: { frameOptions: true }, message: /X-Frame-Options must be a text or false, got true/ },
  { options: { referrerPolicy: "a\r\nb" }, message: /Referrer-Policy must be a text or false/ },
  {
    options: { contentSecurityPolicy: { imgSrc: "'self'" } },
    message: /the directive "imgSrc" must be like "img-src"/,
  },
  {
    options: { contentSecurityPolicy: { "img-src": "a; script-src *" } },
    message: /the directive "img-src"/,
  },
];

for (const { options, message } of mistakes) {
  test(`registration fails: ${message.source}`, () => {
    assert.throws(() => securityHeaders(options), { name: "TypeError", message });
  });
}
