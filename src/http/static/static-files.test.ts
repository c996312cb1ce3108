import assert from "node:assert/strict";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { createTemporaryFolder } from "../../lib/testing/temporary-folder.ts";
import { settles, until } from "../../lib/testing/until.ts";
import { compress, type StaticFilesOptions, staticFiles } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { Random } from "../testing/random.ts";
import { get, Wire } from "../testing/wire.ts";

const script = 'console.log("hello");\n'.repeat(200);
const large = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));

const usualFiles = {
  "index.html": "<h1>Home</h1>",
  "app.js": script,
  "style.css": "body {}",
  "data.json": "{}",
  "logo.svg": "<svg/>",
  "photo.JPG": "jpg",
  "model.gltf": "{}",
  "unknown.constructor": "?",
  "no-extension": "?",
  "empty.txt": "",
  "large.bin": large,
  "docs/index.html": "<h1>Docs</h1>",
  "docs/a b/ü.txt": "umlaut",
  "plain/file.txt": "file",
  ".env": "SECRET",
  ".git/config": "SECRET",
  "docs/.hidden": "SECRET",
  ".well-known/security.txt": "Contact: mailto:security@example.com",
};

type Files = Record<string, string | Uint8Array>;

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A folder `site` with the files, beside which there is a secret. */
function createFolder(files: Files = usualFiles): string {
  const outer = createTemporaryFolder();
  write(outer, { "secret.txt": "SECRET" });
  mkdirSync(join(outer, "site"));
  write(join(outer, "site"), files);
  return join(outer, "site");
}

/** Files that were just written are treated with care. Here, the time of the process is ten seconds later. */
function letFilesSettle(t: TestContext): void {
  const { now } = Date;
  t.mock.method(Date, "now", () => now() + 10_000);
}

/** The files of a folder that this process has open, where the system shows them. */
function listOpenFiles(folder: string): string[] {
  const descriptors = "/proc/self/fd";
  if (!existsSync(descriptors)) return [];
  const targetOf = (name: string) => {
    try {
      return readlinkSync(join(descriptors, name));
    } catch {
      // Closed in the meantime.
      return "";
    }
  };
  return readdirSync(descriptors)
    .map(targetOf)
    .filter((path) => path.startsWith(folder) && !path.endsWith("socket"));
}

async function filesAreClosed(folder: string): Promise<void> {
  await until(
    "all files are closed",
    () => listOpenFiles(folder),
    (files) => files.length === 0,
  );
}

async function createSite(t: TestContext, options?: StaticFilesOptions, folder = createFolder()) {
  const listener = await createListener(t, (router) => {
    router.get("/{path...}", staticFiles(folder, options));
    router.get("/deep/er/{rest...}", staticFiles(folder, options));
  });
  const { inject } = listener;
  const fetchFile = (url: string, headers: Record<string, string> = {}, method = "GET") =>
    inject({ url, headers, method });
  return { ...listener, folder, fetchFile };
}

describe("staticFiles", () => {
  const types: [path: string, type: string][] = [
    ["/", "text/html; charset=utf-8"],
    ["/index.html", "text/html; charset=utf-8"],
    ["/app.js", "text/javascript; charset=utf-8"],
    ["/style.css", "text/css; charset=utf-8"],
    ["/data.json", "application/json"],
    ["/logo.svg", "image/svg+xml"],
    ["/photo.JPG", "image/jpeg"],
    ["/model.gltf", "model/x-own"],
    ["/unknown.constructor", "application/octet-stream"],
    ["/no-extension", "application/octet-stream"],
    ["/empty.txt", "text/plain; charset=utf-8"],
    ["/large.bin", "application/octet-stream"],
    ["/docs/", "text/html; charset=utf-8"],
    ["/docs/a%20b/%C3%BC.txt", "text/plain; charset=utf-8"],
    ["/deep/er/docs/", "text/html; charset=utf-8"],
    ["/.well-known/security.txt", "text/plain; charset=utf-8"],
  ];
  for (const [path, type] of types) {
    it(`sends ${path} as ${type}`, async (t) => {
      const { fetchFile, facts } = await createSite(t, { types: { gltf: "model/x-own" } });
      const name = decodeURIComponent(path)
        .replace(/^\/(deep\/er\/)?/, "")
        .replace(/^$|\/$/, "$&index.html");
      const content = Buffer.from(usualFiles[name as keyof typeof usualFiles]);
      const sent = await fetchFile(path);
      assert.equal(sent.status, 200);
      assert.deepEqual(Buffer.from(sent.bytes), content);
      assert.equal(sent.headers["content-type"], type);
      assert.equal(sent.headers["content-length"], String(content.length));
      assert.equal(sent.headers["accept-ranges"], "bytes");
      assert.equal(sent.headers["cache-control"], "no-cache");
      assert.equal((await facts.find()).bytesSent, content.length);
      const head = await fetchFile(path, {}, "HEAD");
      assert.deepEqual([head.status, head.body], [200, ""]);
      const ignored = { date: "", "x-trace-id": "", connection: "", "keep-alive": "" };
      assert.deepEqual({ ...head.headers, ...ignored }, { ...sent.headers, ...ignored });
    });
  }

  const missing = [
    "/nothing.txt",
    "/app.js/",
    "/docs/nothing",
    "/plain/",
    "/docs//index.html",
    "//index.html",
  ];
  for (const path of missing) {
    it(`responds to ${path} with 404`, async (t) => {
      const { fetchFile, facts, failures } = await createSite(t);
      const { status, headers, json } = await fetchFile(path);
      assert.equal(status, 404);
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(json<{ message: string }>().message, `File not found: ${path}.`);
      assert.equal((await facts.find()).statusCode, 404);
      assert.deepEqual(failures.items, []);
    });
  }

  it("redirects a folder to its path with a slash, relative to the request", async (t) => {
    const { fetchFile, listen } = await createSite(t);
    const { status, headers } = await fetchFile("/docs?a=1&b=%20");
    assert.deepEqual([status, headers.location], [301, "./docs/?a=1&b=%20"]);
    assert.equal((await fetchFile("/deep/er/docs")).headers.location, "./docs/");
    assert.equal((await fetchFile("/docs/a%20b")).headers.location, "./a%20b/");
    assert.equal((await fetchFile("/docs%2Fa%20b")).headers.location, "./docs%2Fa%20b/");
    const followed = await fetch(`http://127.0.0.1:${await listen()}/deep/er/docs?x`);
    assert.equal(new URL(followed.url).pathname, "/deep/er/docs/");
    assert.equal(await followed.text(), "<h1>Docs</h1>");
  });

  it("sends another index, or none", async (t) => {
    const other = await createSite(t, { index: "file.txt" });
    assert.equal((await other.fetchFile("/plain/")).body, "file");
    assert.equal((await other.fetchFile("/")).status, 404);
    const none = await createSite(t, { index: false });
    for (const path of ["/", "/docs", "/docs/"]) assert.equal((await none.fetchFile(path)).status, 404, path);
    assert.equal((await none.fetchFile("/docs/index.html")).status, 200);
  });

  it("accepts the folder as a URL, and as a path relative to the working directory", async (t) => {
    const folder = createFolder();
    for (const given of [pathToFileURL(`${folder}/`), join("../".repeat(20), folder)]) {
      const { inject } = await createListener(t, (router) =>
        router.get("/{path...}", staticFiles(given as string)),
      );
      assert.equal((await inject("/style.css")).body, "body {}");
    }
  });

  it("refuses a folder that does not exist, with one sentence", () => {
    const folder = createFolder();
    for (const name of ["nowhere", "app.js"]) {
      assert.throws(() => staticFiles(join(folder, name)), {
        name: "StartError",
        code: "INVALID_OPTION",
        message: `staticFiles: ${join(folder, name)} is not a folder. Create it, or pass the path of another folder.`,
      });
    }
  });

  const wrong: [options: object, message: RegExp][] = [
    [{ maxage: 60 }, /^staticFiles has no option "maxage"\. It has index, fallback, maxAge, /],
    [{ index: true }, /^staticFiles expects the name of a file or false for index, such as "index\.html"\.$/],
    [{ fallback: "/index.html" }, /^staticFiles expects the path of a file for fallback/],
    [{ maxAge: "1h" }, /^staticFiles expects a whole number of seconds for maxAge\.$/],
    [{ immutable: "assets" }, /^staticFiles expects a regular expression for immutable/],
  ];
  for (const [options, message] of wrong) {
    it(`refuses the options ${JSON.stringify(options)}`, () => {
      assert.throws(() => staticFiles(createFolder(), options), { name: "TypeError", message });
    });
  }

  it("refuses a route without the rest of a path", async (t) => {
    await createListener(t, (router) => {
      assert.throws(() => router.get("/files/{name}", staticFiles(createFolder())), {
        name: "RouteError",
        message: "The route GET /files/{name} serves files, so its path must end with {path...}.",
      });
    });
  });
});

describe("caching", () => {
  it("is for as long as the options say", async (t) => {
    const { fetchFile } = await createSite(t, {
      maxAge: 60,
      immutable: /^docs\/.*\.txt$/g,
      fallback: "index.html",
    });
    const controlOf = async (path: string) =>
      (await fetchFile(path, { accept: "text/html" })).headers["cache-control"];
    for (let turn = 0; turn < 2; turn++) {
      assert.equal(await controlOf("/app.js"), "max-age=60");
      assert.equal(await controlOf("/"), "max-age=60");
      assert.equal(await controlOf("/docs/a%20b/%C3%BC.txt"), "max-age=31536000, immutable");
      assert.equal(await controlOf("/unknown"), "no-cache");
    }
  });

  it("does not override what middleware demands", async (t) => {
    const { inject } = await createListener(t, (router) => {
      router.get("/{path...}", staticFiles(createFolder(), { maxAge: 60 })).bindFunc((e) => {
        e.setHeader("Cache-Control", "private, no-store");
        return e.next();
      });
    });
    assert.equal((await inject("/app.js")).headers["cache-control"], "private, no-store");
  });

  it("is confirmed with 304", async (t) => {
    letFilesSettle(t);
    const { fetchFile, facts, folder } = await createSite(t);
    for (const path of ["/app.js", "/large.bin"]) {
      const { headers } = await fetchFile(path);
      const etag = headers.etag!;
      assert.match(etag, /^"[\w-]+"$/);
      const earlier = new Date(Date.parse(headers["last-modified"]!) - 1_000).toUTCString();
      const conditions: [headers: Record<string, string>, status: number][] = [
        [{ "if-none-match": etag }, 304],
        [{ "if-none-match": `W/${etag}` }, 304],
        [{ "if-none-match": `"other", ${etag}` }, 304],
        [{ "if-none-match": "*" }, 304],
        [{ "if-none-match": '"other"' }, 200],
        [{ "if-modified-since": headers["last-modified"]! }, 304],
        [{ "if-modified-since": earlier }, 200],
        [{ "if-modified-since": "yesterday" }, 200],
        [{ "if-none-match": '"other"', "if-modified-since": headers["last-modified"]! }, 200],
        [{ "if-match": etag }, 200],
        [{ "if-match": "*" }, 200],
        [{ "if-match": `W/${etag}` }, 412],
        [{ "if-match": '"other"' }, 412],
        [{ "if-unmodified-since": headers["last-modified"]! }, 200],
        [{ "if-unmodified-since": earlier }, 412],
        [{ "if-unmodified-since": "yesterday" }, 200],
        [{ "if-match": etag, "if-unmodified-since": earlier }, 200],
        [{ "if-match": etag, "if-none-match": etag }, 304],
      ];
      for (const [given, status] of conditions) {
        for (const method of ["GET", "HEAD"]) {
          const response = await fetchFile(path, given, method);
          assert.equal(response.status, status, JSON.stringify([path, method, given]));
          if (status !== 304) continue;
          assert.deepEqual([response.headers.etag, response.body], [etag, ""]);
          assert.equal(response.headers["cache-control"], "no-cache");
          assert.equal(response.headers["content-range"], undefined);
        }
      }
    }
    assert.ok(facts.items.some(({ statusCode, bytesSent }) => statusCode === 304 && bytesSent === 0));
    await filesAreClosed(folder);
  });

  it("uses weak tags for files that have just changed, because they can change again unnoticed", async (t) => {
    const { fetchFile } = await createSite(t);
    const { headers } = await fetchFile("/app.js");
    assert.match(headers.etag!, /^W\/"[\w-]+"$/);
    assert.equal((await fetchFile("/app.js", { "if-none-match": headers.etag! })).status, 304);
    const range = { range: "bytes=0-1", "if-range": headers.etag! };
    assert.equal((await fetchFile("/app.js", range)).status, 200);
  });

  it("has no date in the future", async (t) => {
    const { fetchFile, folder } = await createSite(t);
    utimesSync(join(folder, "app.js"), new Date("2190-01-01"), new Date("2190-01-01"));
    const { headers } = await fetchFile("/app.js");
    assert.ok(Date.parse(headers["last-modified"]!) <= Date.now());
  });
});

describe("ranges", () => {
  it("are parts of small and large files", async (t) => {
    letFilesSettle(t);
    const { fetchFile, facts } = await createSite(t);
    for (const [path, content] of [
      ["/app.js", Buffer.from(script)],
      ["/large.bin", large],
    ] as const) {
      const size = content.length;
      const ranges: [header: string, first: number, last: number][] = [
        ["bytes=0-0", 0, 0],
        ["bytes=10-99", 10, 99],
        ["bytes=3000-", 3_000, size - 1],
        ["bytes=-10", size - 10, size - 1],
        [`bytes=0-${size * 2}`, 0, size - 1],
      ];
      for (const [range, first, last] of ranges) {
        const { status, headers, bytes } = await fetchFile(path, { range });
        assert.equal(status, 206);
        assert.equal(headers["content-range"], `bytes ${first}-${last}/${size}`);
        assert.equal(headers["content-length"], String(last - first + 1));
        assert.deepEqual(Buffer.from(bytes), content.subarray(first, last + 1));
        assert.equal(facts.items.at(-1)?.bytesSent, last - first + 1);
      }
    }
  });

  it("outside of the file are refused with its size", async (t) => {
    const { fetchFile, folder } = await createSite(t);
    for (const [path, size] of [
      ["/app.js", script.length],
      ["/large.bin", large.length],
      ["/empty.txt", 0],
    ] as const) {
      const { status, headers, json } = await fetchFile(path, { range: `bytes=${size}-` });
      assert.deepEqual([status, headers["content-range"]], [416, `bytes */${size}`]);
      assert.equal(json<{ status: number }>().status, 416);
    }
    await filesAreClosed(folder);
  });

  it("are ignored if there are several, for HEAD, or if the client's part is of another file", async (t) => {
    letFilesSettle(t);
    const { fetchFile } = await createSite(t);
    const { headers } = await fetchFile("/app.js");
    const range = "bytes=0-3";
    const ignored: Record<string, string>[] = [
      { range: "bytes=0-1, 5-6" },
      { range: "lines=1-2" },
      { range, "if-range": '"other"' },
      { range, "if-range": `W/${headers.etag}` },
      { range, "if-range": "Thu, 01 Jan 1970 00:00:00 GMT" },
    ];
    for (const given of ignored) {
      const response = await fetchFile("/app.js", given);
      assert.deepEqual([response.status, response.body], [200, script], JSON.stringify(given));
      assert.equal(response.headers["content-range"], undefined);
    }
    const head = await fetchFile("/app.js", { range }, "HEAD");
    assert.deepEqual([head.status, head.headers["content-length"]], [200, String(script.length)]);
    for (const current of [headers.etag!, headers["last-modified"]!]) {
      const response = await fetchFile("/app.js", { range, "if-range": current });
      assert.deepEqual([response.status, response.body], [206, "cons"]);
    }
  });

  it("are consistent for random headers over a real connection", async (t) => {
    letFilesSettle(t);
    const { listen } = await createSite(t);
    const url = `http://127.0.0.1:${await listen()}/large.bin`;
    const random = new Random(14);
    const number = () =>
      random.pick(["", "0", "7", "65535", "65536", "131071", "299999", "300000", "9".repeat(20)]);
    for (let count = 0; count < 80; count++) {
      const range = `bytes=${number()}-${number()}`;
      const response = await fetch(url, { headers: { range } });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status === 416) {
        assert.equal(response.headers.get("content-range"), "bytes */300000", range);
        continue;
      }
      const shown = /^bytes (\d+)-(\d+)\/300000$/.exec(response.headers.get("content-range") ?? "");
      assert.equal(response.status, shown ? 206 : 200, range);
      const [first, last] = shown ? [Number(shown[1]), Number(shown[2])] : [0, large.length - 1];
      assert.ok(bytes.equals(large.subarray(first, last + 1)), range);
    }
  });
});

describe("precompressed files", () => {
  const encoded = {
    ...usualFiles,
    "app.js.br": brotliCompressSync(script),
    "app.js.gz": gzipSync(script),
    "app.js.zst": zstdCompressSync(script),
    "style.css.gz": gzipSync("body {}"),
    "photo.JPG.gz": gzipSync("jpg"),
  };

  it("are sent to clients that accept them", async (t) => {
    letFilesSettle(t);
    const { fetchFile } = await createSite(t, { precompressed: true }, createFolder(encoded));
    const expected: [path: string, accepted: string, encoding: string | undefined][] = [
      ["/app.js", "gzip, deflate, br, zstd", "br"],
      ["/app.js", "gzip, zstd", "zstd"],
      ["/app.js", "br;q=0.1, gzip", "gzip"],
      ["/app.js", "identity, gzip;q=0.5", undefined],
      ["/app.js", "deflate", undefined],
      ["/style.css", "br, gzip", "gzip"],
      ["/style.css", "br", undefined],
    ];
    const tags = new Set<string>();
    for (const [path, accepted, encoding] of expected) {
      const plain = await fetchFile(path);
      const { headers, bytes } = await fetchFile(path, { "accept-encoding": accepted });
      assert.equal(headers["content-encoding"], encoding, accepted);
      assert.equal(headers.vary, "Accept-Encoding");
      assert.equal(headers["content-type"], plain.headers["content-type"]);
      const file = encoding && `${path.slice(1)}${{ br: ".br", gzip: ".gz", zstd: ".zst" }[encoding]}`;
      const content = file ? encoded[file as keyof typeof encoded] : plain.bytes;
      assert.ok(Buffer.from(bytes).equals(Buffer.from(content)));
      if (path === "/app.js") tags.add(headers.etag!);
      const again = await fetchFile(path, { "accept-encoding": accepted, "if-none-match": headers.etag! });
      assert.deepEqual([again.status, again.headers.vary], [304, "Accept-Encoding"]);
    }
    assert.equal(tags.size, 4);
  });

  it("have the same entity tag whether or not they were requested directly before", async (t) => {
    letFilesSettle(t);
    const folder = createFolder(encoded);
    const headers = { "accept-encoding": "gzip" };
    const fresh = await createSite(t, { precompressed: true }, folder);
    const expected = (await fresh.fetchFile("/app.js", headers)).headers.etag!;
    const { fetchFile } = await createSite(t, { precompressed: true }, folder);
    const direct = await fetchFile("/app.js.gz");
    assert.equal(direct.headers.etag, expected.replace("-gzip", ""));
    assert.match(expected, /-gzip"$/);
    assert.equal((await fetchFile("/app.js", headers)).headers.etag, expected);
    assert.equal((await fetchFile("/app.js.gz")).headers.etag, direct.headers.etag);
  });

  it("have ranges of their own", async (t) => {
    const { fetchFile } = await createSite(t, { precompressed: true }, createFolder(encoded));
    const { status, headers, bytes } = await fetchFile("/app.js", {
      "accept-encoding": "br",
      range: "bytes=2-4",
    });
    assert.deepEqual([status, headers["content-encoding"]], [206, "br"]);
    assert.ok(Buffer.from(bytes).equals(encoded["app.js.br"].subarray(2, 5)));
  });

  it("are not used without the option, and not for types that are compressed already", async (t) => {
    const without = await createSite(t, {}, createFolder(encoded));
    const plain = await without.fetchFile("/app.js", { "accept-encoding": "br" });
    assert.deepEqual([plain.body, plain.headers.vary], [script, undefined]);
    const { fetchFile } = await createSite(t, { precompressed: true }, createFolder(encoded));
    const photo = await fetchFile("/photo.JPG", { "accept-encoding": "gzip" });
    assert.deepEqual([photo.body, photo.headers.vary], ["jpg", undefined]);
  });

  it("are not compressed again, and other files are compressed on the way", async (t) => {
    letFilesSettle(t);
    const folder = createFolder({ ...encoded, "large.txt": "text ".repeat(50_000) });
    const { inject } = await createListener(t, (router) => {
      router.bind(compress({ encodings: ["gzip"] }));
      router.get("/{path...}", staticFiles(folder, { precompressed: true }));
    });
    const headers = { "accept-encoding": "gzip" };
    const script = await inject({ url: "/app.js", headers });
    assert.ok(Buffer.from(script.bytes).equals(encoded["app.js.gz"]));
    assert.match(script.headers.etag!, /^"/);
    const packed = await inject({ url: "/large.txt", headers });
    assert.deepEqual([packed.headers["content-encoding"], packed.headers.vary], ["gzip", "Accept-Encoding"]);
    assert.equal(gunzipSync(packed.bytes).toString(), "text ".repeat(50_000));
    assert.match(packed.headers.etag!, /^W\//);
    assert.equal(packed.headers["accept-ranges"], undefined);
    const again = await inject({
      url: "/large.txt",
      headers: { ...headers, "if-none-match": packed.headers.etag! },
    });
    assert.deepEqual([again.status, again.headers.etag], [304, packed.headers.etag]);
    const part = await inject({ url: "/large.txt", headers: { ...headers, range: "bytes=0-3" } });
    assert.deepEqual([part.status, part.body, part.headers["content-encoding"]], [206, "text", undefined]);
  });
});

describe("the fallback of a single-page application", () => {
  it("is sent to browsers that navigate to an unknown path", async (t) => {
    const { fetchFile } = await createSite(t, { fallback: "index.html" });
    for (const path of ["/orders/7", "/orders/", "/.env", "/deep/er/x"]) {
      const page = await fetchFile(path, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
      assert.deepEqual([page.status, page.body, page.headers.vary], [200, "<h1>Home</h1>", "Accept"], path);
      for (const accept of ["*/*", "application/json", "image/png,*/*"])
        assert.equal((await fetchFile(path, { accept })).status, 404);
      assert.equal((await fetchFile(path)).status, 404);
    }
    const known = await fetchFile("/app.js", { accept: "text/html" });
    assert.deepEqual([known.body, known.headers.vary], [script, undefined]);
  });

  it("is 404 if the file does not exist", async (t) => {
    const { fetchFile } = await createSite(t, { fallback: "nothing.html" });
    assert.equal((await fetchFile("/x", { accept: "text/html" })).status, 404);
  });
});

describe("files outside of the folder, and hidden ones,", () => {
  const attempts = [
    "/.env",
    "/.git/config",
    "/docs/.hidden",
    "/%2eenv",
    "/docs/%2ehidden",
    "/../secret.txt",
    "/docs/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/docs/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/docs\\..\\..\\secret.txt",
    "/%252e%252e/secret.txt",
    "/....//secret.txt",
    "/.../secret.txt",
    "//../secret.txt",
    "/secret.txt%00.html",
    "/%00/../secret.txt",
    "/..;/secret.txt",
    "/%c0%ae%c0%ae/secret.txt",
    "/link-out.txt",
    "/folder-out/secret.txt",
    "/folder-out",
    "/chain/secret.txt",
    "/link-hidden",
    "/loop",
    "/socket",
  ];

  async function createHostileSite(t: TestContext) {
    const folder = createFolder();
    symlinkSync("../secret.txt", join(folder, "link-out.txt"));
    symlinkSync("..", join(folder, "folder-out"));
    symlinkSync("folder-out", join(folder, "chain"));
    symlinkSync(".env", join(folder, "link-hidden"));
    symlinkSync("loop", join(folder, "loop"));
    const server = createServer().listen(join(folder, "socket"));
    await settles("the socket file exists", once(server, "listening"));
    t.after(() => server.close());
    return createSite(t, {}, folder);
  }

  it("are never sent, however their path is written", async (t) => {
    const { listen, folder } = await createHostileSite(t);
    const wire = await Wire.connect(t, await listen());
    for (const path of [...attempts, `/${folder}/../secret.txt`, `${folder}/app.js`]) {
      wire.request(get(path));
      const { status, body } = await wire.response();
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      assert.doesNotMatch(body, /SECRET|hello/, path);
    }
  });

  it("are never sent for random paths", async (t) => {
    const { listen } = await createHostileSite(t);
    const wire = await Wire.connect(t, await listen());
    const random = new Random(22);
    const parts = ["..", ".", "/", "\\", "%2e", "%2F", "%5c", "%00", "secret.txt", "site", "docs", ".env"];
    const more = ["folder-out", "chain", "link-out.txt", "~", "%20", "a", "%u002e", ";", "?", "%C3%BC"];
    for (let count = 0; count < 400; count++) {
      const path = `/${random.list(9, () => random.pick([...parts, ...more])).join("")}`;
      wire.request(get(path));
      const { status, body } = await wire.response();
      assert.ok([200, 301, 400, 404].includes(status), `${path}: ${status}`);
      assert.doesNotMatch(body, /SECRET/, path);
    }
  });

  it("are sent if they are hidden and the application wants it, but not if they are outside", async (t) => {
    const folder = createFolder();
    symlinkSync("../secret.txt", join(folder, "link-out.txt"));
    symlinkSync("app.js", join(folder, "link-in.js"));
    symlinkSync("docs", join(folder, "docs-too"));
    const { fetchFile } = await createSite(t, { dotfiles: true }, folder);
    assert.equal((await fetchFile("/.git/config")).body, "SECRET");
    assert.equal((await fetchFile("/link-out.txt")).status, 404);
    assert.equal((await fetchFile("/link-in.js")).body, script);
    assert.equal((await fetchFile("/docs-too/")).body, "<h1>Docs</h1>");
  });
});

describe("files that change", () => {
  it("are sent as they are now", async (t) => {
    letFilesSettle(t);
    const { fetchFile, folder } = await createSite(t);
    const first = await fetchFile("/app.js");
    assert.deepEqual((await fetchFile("/app.js")).body, script);
    const { headers } = first;
    // The same size and date, as after `cp --preserve`.
    const date = new Date(headers["last-modified"]!);
    utimesSync(join(folder, "app.js"), date, date);
    assert.equal((await fetchFile("/app.js")).body, script);
    writeFileSync(join(folder, "new.js"), script.replaceAll("hello", "adieu"));
    utimesSync(join(folder, "new.js"), date, date);
    renameSync(join(folder, "new.js"), join(folder, "app.js"));
    assert.match((await fetchFile("/app.js")).body, /adieu/);
    writeFileSync(join(folder, "app.js"), "shorter");
    const changed = await fetchFile("/app.js", { "if-none-match": headers.etag! });
    assert.deepEqual([changed.status, changed.body], [200, "shorter"]);
    rmSync(join(folder, "app.js"));
    assert.equal((await fetchFile("/app.js")).status, 404);
    mkdirSync(join(folder, "app.js"));
    assert.equal((await fetchFile("/app.js")).status, 301);
  });

  /** Starts a download that waits after its first bytes, because the client does not read. */
  async function startDownload(t: TestContext) {
    const folder = createFolder({ "huge.bin": "start" });
    const path = join(folder, "huge.bin");
    // More than the buffers of both sides can hold.
    const size = 32 * 1_024 * 1_024;
    truncateSync(path, size);
    const site = await createSite(t, {}, folder);
    const request = httpGet({ port: await site.listen(), path: "/huge.bin", agent: false });
    request.on("error", () => {});
    t.after(() => request.destroy());
    const [response] = (await settles("the response starts", once(request, "response"))) as [IncomingMessage];
    assert.equal(response.headers["content-length"], String(size));
    return { ...site, path, size, response };
  }

  it("break the response off if they become shorter, so that the client notices", async (t) => {
    const { path, folder, response, failures } = await startDownload(t);
    truncateSync(path, 1_000);
    await assert.rejects(settles("the response ends", buffer(response)), { code: "ECONNRESET" });
    const { error } = await failures.find();
    assert.equal((error as Error).message, "The file became shorter while it was being sent.");
    await filesAreClosed(folder);
  });

  it("are sent to the announced length if they grow", async (t) => {
    const { path, size, response, failures } = await startDownload(t);
    appendFileSync(path, "more");
    assert.equal((await settles("the response ends", buffer(response))).length, size);
    assert.deepEqual(failures.items, []);
  });

  it("are sent completely if they are removed or replaced", async (t) => {
    const { path, size, response, failures, facts } = await startDownload(t);
    rmSync(path);
    writeFileSync(path, "another");
    const bytes = await settles("the response ends", buffer(response));
    assert.deepEqual([bytes.length, bytes.subarray(0, 5).toString()], [size, "start"]);
    assert.deepEqual(failures.items, []);
    assert.equal((await facts.find()).bytesSent, size);
  });

  it("are closed when the client disconnects", async (t) => {
    const { folder, response, facts } = await startDownload(t);
    response.destroy();
    const { aborted, statusCode } = await facts.find();
    assert.deepEqual([aborted, statusCode], [true, 499]);
    await filesAreClosed(folder);
  });
});
