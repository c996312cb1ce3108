import assert from "node:assert/strict";
import type { CookieOptions, RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { findCookie } from "./cookies.ts";

/** The Set-Cookie headers of a response, over TLS at a trusted proxy unless `scheme` is "http". */
async function respondWith(
  t: Parameters<typeof createListener>[0],
  respond: (e: RequestEvent) => void,
  scheme = "https",
): Promise<string[] | undefined> {
  const { inject } = await createListener(
    t,
    (router) => {
      router.get("/x", (e) => {
        respond(e);
        return e.noContent();
      });
    },
    { trusted: ["127.0.0.1"] },
  );
  const { status, headers } = await inject({ url: "/x", headers: { "x-forwarded-proto": scheme } });
  assert.equal(status, 204);
  return headers["set-cookie"];
}

const cookies: {
  name: string;
  set: (e: RequestEvent) => void;
  scheme?: string;
  expected: string;
}[] = [
  {
    name: "has safe defaults",
    set: (e) => e.setCookie("session", "abc"),
    expected: "session=abc; Path=/; HttpOnly; SameSite=Lax; Secure",
  },
  {
    name: "is not Secure over plain HTTP, where browsers would not return it",
    set: (e) => e.setCookie("session", "abc"),
    scheme: "http",
    expected: "session=abc; Path=/; HttpOnly; SameSite=Lax",
  },
  {
    name: "has the given attributes",
    set: (e) =>
      e.setCookie("theme", "dark", {
        maxAge: 3_600,
        expires: new Date(Date.UTC(2030, 0, 2)),
        path: "/app",
        domain: "example.com",
        httpOnly: false,
        sameSite: "none",
        partitioned: true,
      }),
    expected:
      "theme=dark; Path=/app; Domain=example.com; Max-Age=3600; Expires=Wed, 02 Jan 2030 00:00:00 GMT; SameSite=None; Secure; Partitioned",
  },
  {
    name: "can be Secure over plain HTTP, for a proxy that is not trusted",
    set: (e) => e.setCookie("__Host-session", "abc", { secure: true, sameSite: "strict" }),
    scheme: "http",
    expected: "__Host-session=abc; Path=/; HttpOnly; SameSite=Strict; Secure",
  },
  {
    name: "can be without Secure over HTTPS",
    set: (e) => e.setCookie("a", "b", { secure: false }),
    expected: "a=b; Path=/; HttpOnly; SameSite=Lax",
  },
  {
    name: "is encoded",
    set: (e) => e.setCookie("a", 'x; Path=/evil\r\nSet-Cookie: b=c, "é"'),
    expected:
      "a=x%3B%20Path%3D%2Fevil%0D%0ASet-Cookie%3A%20b%3Dc%2C%20%22%C3%A9%22; Path=/; HttpOnly; SameSite=Lax; Secure",
  },
  {
    name: "is deleted with the path and domain it was set with",
    set: (e) => e.clearCookie("theme", { path: "/app", domain: "example.com" }),
    expected: "theme=; Path=/app; Domain=example.com; Max-Age=0; HttpOnly; SameSite=Lax; Secure",
  },
];

for (const { name, set, scheme, expected } of cookies) {
  test(`a cookie ${name}`, async (t) => {
    assert.deepEqual(await respondWith(t, set, scheme), [expected]);
  });
}

test("all cookies of a response are sent, also those of e.setHeader", async (t) => {
  const sent = await respondWith(t, (e) => {
    e.setHeader("Set-Cookie", "a=1");
    e.setCookie("b", "2");
    e.setHeader("set-cookie", ["c=3", "d=4"]);
    e.clearCookie("e");
  });
  assert.deepEqual(
    sent?.map((line) => line.split(";")[0]),
    ["a=1", "b=2", "c=3", "d=4", "e="],
  );
});

test("a cookie can have 4096 bytes", async (t) => {
  const [line = ""] = (await respondWith(t, (e) => e.setCookie("a", "x".repeat(4_095)))) ?? [];
  assert.equal(line.split(";")[0]?.length, "a=".length + 4_095);
});

const refused: { name?: string; value?: unknown; options?: CookieOptions; problem: RegExp }[] = [
  { name: "", problem: /^Cookie "": the name must consist of/ },
  { name: "a b", problem: /the name must consist of/ },
  { name: "a=b", problem: /the name must consist of/ },
  { name: "ä", problem: /the name must consist of/ },
  { value: 7, problem: /the value must be a string, got number/ },
  { value: "\ud800", problem: /unpaired surrogate/ },
  { value: "x".repeat(4_096), problem: /have 4097 bytes, but browsers ignore cookies over 4096/ },
  { options: { maxAge: 1.5 }, problem: /whole number of seconds, got 1.5/ },
  { options: { maxAge: Number.NaN }, problem: /whole number of seconds, got NaN/ },
  { options: { expires: new Date(Number.NaN) }, problem: /expires must be a valid Date/ },
  { options: { path: "app" }, problem: /the path must start with "\/"/ },
  { options: { path: "/a; Domain=evil.example" }, problem: /contain no semicolon/ },
  { options: { path: "/a\r\nX: y" }, problem: /the path must start/ },
  { options: { domain: "a; Path=/" }, problem: /the domain must be a host name/ },
  { options: { sameSite: "Lax" as "lax" }, problem: /sameSite must be "strict", "lax" or "none", got "Lax"/ },
  { options: { sameSite: "none" }, problem: /SameSite=None requires HTTPS/ },
  { options: { partitioned: true }, problem: /Partitioned requires HTTPS/ },
  { name: "__Secure-a", problem: /the prefix __Secure- requires HTTPS.*trustedProxies/ },
  { name: "__Host-a", problem: /the prefix __Host- requires HTTPS/ },
  { name: "__host-a", problem: /the prefix __host- requires HTTPS/ },
  {
    name: "__Host-a",
    options: { secure: true, path: "/x" },
    problem: /requires the path "\/" and no domain/,
  },
  {
    name: "__Host-a",
    options: { secure: true, domain: "a.example" },
    problem: /requires the path "\/" and no domain/,
  },
];

for (const { name = "a", value = "b", options, problem } of refused) {
  test(`a cookie is refused: ${problem.source}`, async (t) => {
    await respondWith(
      t,
      (e) =>
        assert.throws(
          () => e.setCookie(name, value as string, options),
          (error: Error) => {
            assert.equal(error.name, "TypeError");
            assert.match(error.message, problem);
            return true;
          },
        ),
      "http",
    );
  });
}

test("e.cookie returns the value that e.setCookie was given", async (t) => {
  const values = [
    "",
    "plain",
    "a=b; c",
    " spaces ",
    "100%",
    "%41",
    '"quoted"',
    "é😀",
    "a,b\\c\r\n",
    "x".repeat(4_000),
  ];
  const { inject } = await createListener(t, (router) => {
    router.get("/set/{index}", (e) => {
      e.setCookie("value", values[Number(e.pathValue("index"))]!);
      return e.noContent();
    });
    router.get("/get", (e) => e.json(200, e.cookie("value")));
  });
  for (const [index, value] of values.entries()) {
    const { headers } = await inject(`/set/${index}`);
    const cookie = `other=1; ${headers["set-cookie"]![0]!.split(";")[0]}; last=2`;
    assert.equal((await inject({ url: "/get", headers: { cookie } })).json(), value);
  }
});

test("cookies of others are read as they are, unless they are percent-encoded", () => {
  const header = 'a=1;b = x=y ; c="q"; d=100%; e=%E4; f=a%20b; g';
  const rows: [name: string, value: string | undefined][] = [
    ["a", "1"],
    ["b", "x=y"],
    ["c", '"q"'],
    ["d", "100%"],
    ["e", "%E4"],
    ["f", "a b"],
    ["g", undefined],
    ["h", undefined],
  ];
  for (const [name, value] of rows) assert.equal(findCookie(header, name), value, name);
});

test("Vary lists every name that was set, once", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", (e) => {
      e.setHeader("Vary", "Origin");
      e.setHeader("vary", "Accept-Encoding, origin");
      e.setHeader("Vary", ["Accept", "Accept-Language"]);
      return e.noContent();
    });
  });
  assert.equal((await inject("/x")).headers.vary, "Origin, Accept-Encoding, Accept, Accept-Language");
});
