import assert from "node:assert/strict";
import { Readable } from "node:stream";
import type { RequestEvent, RootRouter } from "./index.ts";
import { createListener } from "./testing/listener.ts";
import { test } from "./testing/test.ts";

const handlers: Record<string, (e: RequestEvent) => unknown> = {
  "/json": (e) => e.json(200, {}),
  "/text": (e) => e.text(200, "x"),
  "/html": (e) => e.html(200, "x"),
  "/bytes": (e) => e.bytes(200, "image/png", Buffer.from("x")),
  "/none": (e) => e.noContent(),
  "/unchanged": (e) => e.json(304, {}),
  "/redirect": (e) => e.redirect(302, "/text"),
  "/stream": (e) => e.stream(200, "text/plain", Readable.from(["x"])),
  "/error": (e) => {
    throw e.error(418, "No coffee.");
  },
  "/failure": () => {
    throw new Error("boom");
  },
  "/end": (e) => e.response.end("x"),
  "/write": (e) => {
    e.response.write("x");
    e.response.end();
  },
  "/head-object": (e) => e.response.writeHead(200, { a: "b" }).end(),
  "/head-reason": (e) => e.response.writeHead(200, "Fine", { a: "b" }).end(),
  "/head-list": (e) => e.response.writeHead(200, ["a", "b"]).end(),
};

function register(router: RootRouter): void {
  for (const [path, handler] of Object.entries(handlers)) router.get(path, handler);
}

for (const path of [...Object.keys(handlers), "/nowhere"]) {
  for (const accept of ["*/*", "text/html"]) {
    test(`the response to ${path} for ${accept} says that its type must not be guessed`, async (t) => {
      const { inject } = await createListener(t, register);
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const { headers } = await inject({ method, url: path, headers: { accept } });
        assert.equal(headers["x-content-type-options"], "nosniff", method);
      }
    });
  }
}

const overrides: Record<string, (e: RequestEvent) => unknown> = {
  "e.setHeader and e.json": (e) => {
    e.setHeader("X-Content-Type-Options", "other");
    return e.json(200, {});
  },
  "e.setHeader and writeHead": (e) => {
    e.setHeader("x-content-type-options", "other");
    return e.response.writeHead(200, { a: "b" }).end();
  },
  writeHead: (e) => e.response.writeHead(200, { "x-Content-type-options": "other" }).end(),
  "writeHead with a list": (e) => e.response.writeHead(200, ["X-CONTENT-TYPE-OPTIONS", "other"]).end(),
};

for (const [name, handler] of Object.entries(overrides)) {
  test(`an application overrides X-Content-Type-Options with ${name}`, async (t) => {
    const { inject } = await createListener(t, (router) => router.get("/x", handler));
    assert.equal((await inject("/x")).headers["x-content-type-options"], "other");
  });
}
