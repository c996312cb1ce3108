import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { requireAuth, requireSuperuserAuth } from "../../../auth/index.ts";
import { RouteTable } from "../../../http/index.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { APIVersionManager, initializeVersionedSystemWithRoutes } from "./version-manager.ts";

const nothing = () => {};

describe("the version manager", () => {
  for (const label of ["v1", "v2", "v1.0", "v2.0.0", "beta", "2026-01-01", "a".repeat(64), "V_1"]) {
    it(`accepts the label "${label.slice(0, 12)}"`, () => {
      const manager = new APIVersionManager();
      manager.registerVersion(label);
      assert.deepEqual(manager.getAllVersions(), [label]);
    });
  }

  for (const label of [
    "",
    " ",
    "v1/x",
    "../x",
    "a..b",
    ".v1",
    "-v1",
    "versions",
    "debug",
    "assets",
    "v 1",
    "ü",
    "a".repeat(65),
  ]) {
    it(`rejects the label ${JSON.stringify(label).slice(0, 12)}`, () => {
      assert.throws(() => new APIVersionManager().registerVersion(label), { code: "INVALID_VERSION" });
    });
  }

  for (const [label, given] of [
    [undefined, "undefined"],
    [null, "null"],
    [1, "a number"],
    [["v1"], "an array"],
  ] as const) {
    it(`rejects a label that is ${given}, and names the type`, () => {
      const message = `Invalid version label: expected a string such as "v1", but got ${given}.`;
      const register = () => new APIVersionManager().registerVersion(label as unknown as string);
      assert.throws(register, { code: "INVALID_VERSION", message });
    });
  }

  it("rejects options that are not an object, and unknown ones", () => {
    const create = (options: unknown) => () => new APIVersionManager(options as object);
    assert.throws(
      create("v2"),
      /^TypeError: APIVersionManager expects an object of options, but got a string\.$/,
    );
    assert.throws(
      create({ default: "v2" }),
      /^TypeError: APIVersionManager has no option "default"\. It has defaultVersion\.$/,
    );
  });

  it("rejects an existing version", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1");
    assert.throws(() => manager.registerVersion("v1"), { code: "VERSION_EXISTS" });
  });

  it("makes the first version the default, unless another was preset", () => {
    const plain = new APIVersionManager();
    assert.equal(plain.getDefaultVersion(), undefined);
    plain.registerVersion("v2");
    plain.registerVersion("v1");
    assert.equal(plain.getDefaultVersion(), "v2");
    plain.setDefaultVersion("v1");
    assert.equal(plain.getDefaultVersion(), "v1");
    const preset = new APIVersionManager({ defaultVersion: "v1" });
    preset.registerVersion("v2");
    assert.equal(preset.getDefaultVersion(), "v1");
    assert.throws(() => plain.setDefaultVersion("v9"), { code: "VERSION_UNKNOWN" });
  });

  it("removes a version with its registry, but never the default", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1");
    manager.registerVersion("v2");
    manager.removeVersion("v2");
    assert.deepEqual(manager.getAllVersions(), ["v1"]);
    assert.throws(() => manager.getVersionRegistry("v2"), { code: "VERSION_UNKNOWN" });
    assert.throws(() => manager.removeVersion("v2"), { code: "VERSION_UNKNOWN" });
    assert.throws(() => manager.removeVersion("v1"), { code: "VERSION_IS_DEFAULT" });
  });

  it("returns the labels as a sorted copy", () => {
    const manager = new APIVersionManager();
    for (const label of ["v2", "beta", "v1"]) manager.registerVersion(label);
    manager.getAllVersions().push("v9");
    assert.deepEqual(manager.getAllVersions(), ["beta", "v1", "v2"]);
  });

  it("completes a configuration and stores a copy of it", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1", null);
    const defaults = manager.getVersionConfig("v1");
    assert.partialDeepStrictEqual(defaults, {
      title: "API",
      version: "v1",
      status: "stable",
      baseURL: "http://localhost:8090",
      enabled: true,
      publicSwagger: false,
      description: "",
      sunset: "",
    });
    const given = { title: "Mine", publicSwagger: true };
    manager.registerVersion("v2", given);
    given.title = "Changed";
    assert.equal(manager.getVersionConfig("v2").title, "Mine");
    assert.throws(() => Object.assign(manager.getVersionConfig("v2"), { title: "x" }), TypeError);
    assert.throws(() => manager.getVersionConfig("v9"), { code: "VERSION_UNKNOWN" });
  });

  it("rejects an invalid configuration and names the field", () => {
    const wrong: [config: object, problem: RegExp][] = [
      [{ titel: "x" }, /unknown field "titel"; known fields: title, version/],
      [{ title: 5 }, /title is 5, but must be a string/],
      [{ enabled: "yes" }, /enabled is "yes", but must be true or false/],
      [{ baseURL: "example.com" }, /baseURL is "example.com", but must be a URL/],
      [{ contactURL: "javascript:alert(1)" }, /contactURL/],
      [{ sunset: "soon" }, /sunset is "soon", but must be a date/],
      [{ status: "" }, /status is "", but must be a word such as stable/],
      [{ status: " " }, /status is " ", but must be a word such as stable/],
      [{ title: " " }, /title is " ", but must not be empty/],
      [{ version: "" }, /version is "", but must not be empty/],
      [[], /expected an object, but got an array/],
      ["Mine" as never, /expected an object, but got a string/],
      [false as never, /expected an object, but got a boolean/],
    ];
    for (const [config, message] of wrong) {
      assert.throws(() => new APIVersionManager().registerVersion("v1", config), {
        code: "INVALID_DOCS_CONFIG",
        message,
      });
      const manager = new APIVersionManager();
      manager.registerVersion("v1");
      assert.throws(() => manager.updateVersionConfig("v1", config), {
        code: "INVALID_DOCS_CONFIG",
        message,
      });
      assert.equal(manager.getVersionConfig("v1").title, "API");
    }
  });

  it("updates a configuration and its timestamp", () => {
    const clock = new FakeClock("2026-03-02T10:00:00Z");
    const manager = new APIVersionManager({ clock });
    manager.registerVersion("v1", { title: "Mine", status: "testing" });
    clock.advance(60_000);
    manager.updateVersionConfig("v1", { status: "stable", publicSwagger: true });
    assert.partialDeepStrictEqual(manager.getVersionInfo("v1"), {
      version: "v1",
      status: "stable",
      createdAt: "2026-03-02T10:00:00.000Z",
      updatedAt: "2026-03-02T10:01:00.000Z",
      created_at: "2026-03-02T10:00:00.000Z",
      updated_at: "2026-03-02T10:01:00.000Z",
      config: { title: "Mine", publicSwagger: true },
    });
  });

  it("counts the endpoints of a version", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1");
    manager.setVersionRouteRegistrar("v1", (router) => {
      router.crud("todos", { list: nothing, create: nothing, delete: nothing }, requireAuth());
      router.get("/secret", nothing).bind(requireSuperuserAuth());
    });
    manager.registerAllVersionRoutesForDocs();
    const { stats, endpoints } = manager.getVersionInfo("v1");
    assert.equal(endpoints, 4);
    const expected = {
      total: 4,
      get: 2,
      post: 1,
      put: 0,
      patch: 0,
      delete: 1,
      auth_required: 3,
      auth_none: 1,
    };
    assert.deepEqual({ ...stats }, expected);
  });

  it("counts nothing for a version without endpoints", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1");
    const { stats } = manager.getVersionInfo("v1");
    const expected = {
      total: 0,
      get: 0,
      post: 0,
      put: 0,
      patch: 0,
      delete: 0,
      auth_required: 0,
      auth_none: 0,
    };
    assert.deepEqual({ ...stats }, expected);
  });

  it("registers routes with the server and the documentation, separately for each version", () => {
    const manager = new APIVersionManager();
    for (const label of ["v1", "v2"]) {
      manager.registerVersion(label);
      manager.setVersionRouteRegistrar(label, (router) => void router.get(`/api/${label}/todos`, nothing));
    }
    const table = new RouteTable();
    manager.registerAllVersionRoutes({ router: table.router("the application") });
    assert.deepEqual(
      table.routes.map(({ pattern }) => pattern.text),
      ["/api/v1/todos", "/api/v2/todos"],
    );
    assert.deepEqual(
      manager
        .getVersionRegistry("v1")
        .list()
        .map(({ path }) => path),
      ["/api/v1/todos"],
    );
    manager.registerAllVersionRoutesForDocs();
    assert.equal(manager.getVersionRegistry("v1").size, 1, "not twice");
  });

  it("rejects registering routes for the documentation if no version has a registrar, and lists the versions", () => {
    const manager = new APIVersionManager();
    manager.registerAllVersionRoutesForDocs();
    manager.registerVersion("v2");
    manager.registerVersion("v1");
    assert.throws(() => manager.registerAllVersionRoutesForDocs(), {
      code: "NO_ROUTE_REGISTRAR",
      message: /^No API version has a route registrar: v1, v2\. Call setVersionRouteRegistrar/,
    });
  });

  it("warns about versions without a registrar if others have one", async () => {
    const manager = new APIVersionManager();
    for (const label of ["v1", "v2", "v3"]) manager.registerVersion(label);
    manager.setVersionRouteRegistrar("v1", (router) => void router.get("/todos", nothing));
    const warned = once(process, "warning", { signal: AbortSignal.timeout(180_000) });
    manager.registerAllVersionRoutesForDocs();
    const [warning] = (await warned) as [Error];
    assert.match(warning.message, /without a route registrar.*: v2, v3\./);
    assert.equal(manager.getVersionRegistry("v1").size, 1);
  });

  it("records where a route was registered", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1");
    manager.setVersionRouteRegistrar("v1", (router) => {
      router.setPrefix("/api").get("/todos", nothing);
      router.crud("lists", { list: nothing });
    });
    manager.registerAllVersionRoutesForDocs();
    const sources = manager
      .getVersionRegistry("v1")
      .list()
      .map(({ source }) => source!);
    for (const { file } of sources) assert.equal(file, import.meta.filename);
    assert.equal(sources[1]!.line, sources[0]!.line + 1);
  });

  it("rejects two routes that differ only in the names of their path values, and names both locations", () => {
    const manager = new APIVersionManager();
    manager.registerVersion("v1");
    manager.setVersionRouteRegistrar("v1", (router) => {
      router.get("/todos/{id}", nothing);
      router.delete("/todos/{todo}", nothing);
    });
    assert.throws(() => manager.registerAllVersionRoutesForDocs(), {
      code: "ROUTES_LOOK_ALIKE",
      message: /^DELETE \/todos\/\{todo\} at .*:\d+:\d+ and GET \/todos\/\{id\} at .*:\d+:\d+ differ only/,
    });
  });

  it("sets up all versions in one call", () => {
    const routes = nothing;
    const manager = initializeVersionedSystemWithRoutes(
      { v1: { config: null, routes }, v2: { config: { title: "Two" }, routes } },
      "v2",
    );
    assert.deepEqual(manager.getAllVersions(), ["v1", "v2"]);
    assert.equal(manager.getDefaultVersion(), "v2");
    assert.equal(manager.getVersionConfig("v1").title, "API");
    assert.equal(manager.getVersionConfig("v2").title, "Two");
    assert.throws(() => initializeVersionedSystemWithRoutes({ v1: { routes } }, "v9"), {
      code: "VERSION_UNKNOWN",
    });
    const misspelled = { v1: { routes, Config: { title: "One" } } };
    assert.throws(
      () => initializeVersionedSystemWithRoutes(misspelled, "v1"),
      /^TypeError: Version "v1" has no option "Config"\. It has config, routes\.$/,
    );
  });

  it("can only be registered with an application created by createApp", () => {
    assert.throws(() => new APIVersionManager().registerWithServer({}), /createApp/);
  });

  it("rejects a registrar that is not a function or belongs to an unknown version", () => {
    const manager = new APIVersionManager();
    assert.throws(() => manager.setVersionRouteRegistrar("v1", nothing), { code: "VERSION_UNKNOWN" });
    manager.registerVersion("v1");
    assert.throws(() => manager.setVersionRouteRegistrar("v1", "x" as never), TypeError);
  });
});
