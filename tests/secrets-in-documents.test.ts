import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { until } from "../src/lib/testing/until.ts";
import { goldenFolder, listCases } from "./support/golden.ts";
import { createFolder, startProgram } from "./support/program.ts";

const limits = { timeout: 900_000 };
const root = join(import.meta.dirname, "..");
const cli = join(root, "src/cli/bin.ts");
const annex = join(root, "src/index.ts");

/** All golden cases about secrets, each as a version of one application. */
const cases = listCases().filter(({ name }) => name.startsWith("secrets/"));

/** Every secret of these sources begins like this; the number is that of a PIN, which cannot. */
const canary = /canary|7331/i;

/** An application of all cases, with the packages that they use. */
function createApplication(t: TestContext): string {
  const folder = realpathSync(createFolder(t));
  cpSync(join(goldenFolder, "secrets"), join(folder, "secrets"), { recursive: true });
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, file);
    if (!file.endsWith(".ts")) continue;
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("../../../../src/index.ts", annex));
  }
  mkdirSync(join(folder, "node_modules/@valibot"), { recursive: true });
  for (const name of ["zod", "valibot", "@valibot/to-json-schema", "arktype", "@types"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  const imports = cases.map(
    ({ name }, index) => `import { routes as r${index} } from "./${name}/source.ts";`,
  );
  const versions = cases.map(
    ({ name }, index) =>
      `${JSON.stringify(labelOf(name))}: { config: { publicSwagger: true }, routes: (router) => r${index}(router.setPrefix("/api/${labelOf(name)}")) }`,
  );
  writeFileSync(
    join(folder, "server.ts"),
    `${imports.join("\n")}
import { createApp, initializeVersionedSystemWithRoutes } from ${JSON.stringify(annex)};
const versions = initializeVersionedSystemWithRoutes({ ${versions.join(",\n")} }, "types");
const app = createApp({ port: 0, versions, log: { store: false } });
const { url } = await app.start();
await app.superusers.create("ada@example.com", "correct horse battery");
process.stderr.write("up at " + url + "\\n");
`,
  );
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  cpSync(join(root, "tsconfig.json"), join(folder, "tsconfig.json"));
  return folder;
}

const labelOf = (name: string) => name.replace("secrets/", "");

async function signIn(url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ identity: "ada@example.com", password: "correct horse battery" }),
  });
  const { token } = (await response.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

/** Fails with the place, so that one sees what the analysis let through. */
function assertClean(text: string, where: string): void {
  const at = text.search(canary);
  assert.ok(at === -1, `${where} has a secret: …${text.slice(Math.max(0, at - 120), at + 60)}…`);
}

describe("secrets in the source", limits, () => {
  it("are in these sources", () => {
    assert.ok(cases.length >= 9);
    for (const { folder } of cases) assert.match(readFileSync(join(folder, "source.ts"), "utf8"), canary);
  });

  it("are in no document, debug record, page or cache of a running program", async (t) => {
    const folder = createApplication(t);
    const env = { SVC_DATA_DIR: join(folder, "data") };
    const program = startProgram(t, [join(folder, "server.ts")], { cwd: folder, env });
    const [, url] = await program.says(/up at (http:\S+)/);
    const headers = await signIn(url!);
    const read = async (path: string, as: Record<string, string> = {}) => {
      const response = await fetch(`${url}${path}`, { headers: as });
      assert.equal(response.status, 200, path);
      const text = await response.text();
      assertClean(text, path);
      return text;
    };
    // Until the compiler has been asked, documents contain what syntax shows.
    await until(
      "the compiler has been asked",
      () => read("/api/docs/types/openapi.json"),
      (text) => text.includes('"level":"exact"'),
    );
    for (const label of cases.map(({ name }) => labelOf(name))) {
      const document = await read(`/api/docs/${label}/openapi.json`);
      assert.match(document, /"responses":\{"20\d"/, "its handlers have been read");
      for (const path of [`/api/docs/${label}`, `/_/_/data/api/${label}`, `/api/${label}/schema/config`])
        await read(path, headers);
    }
    for (const path of ["/api/docs/debug/ast", "/_/_/data/api"]) await read(path, headers);
    const cacheFile = join(folder, "node_modules/.cache/annex/analysis.json");
    await until("the cache is written", () => existsSync(cacheFile));
    const cache = readFileSync(cacheFile, "utf8");
    assert.ok(cache.includes("WithZodInput"), "the cache holds the results");
    assertClean(cache, "the cache");
    assertClean(program.stdout + program.stderr, "the log");
  });

  it("are in no spec file and in no diagnostic", async (t) => {
    const folder = createApplication(t);
    const generated = startProgram(t, [cli, "specs", "generate", "server.ts"], { cwd: folder });
    assert.deepEqual(await generated.ended, [0, null], generated.stderr);
    const files = readdirSync(join(folder, "dist/specs"));
    assert.equal(files.length, cases.length);
    for (const file of files) assertClean(readFileSync(join(folder, "dist/specs", file), "utf8"), file);
    const doctor = startProgram(t, [cli, "doctor", "server.ts"], { cwd: folder });
    await doctor.ended;
    assert.match(doctor.stdout, /CONTENT_TYPE_UNKNOWN/);
    assertClean(doctor.stdout + doctor.stderr, "annex doctor");
  });
});
