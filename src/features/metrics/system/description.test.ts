import assert from "node:assert/strict";
import { cpus, hostname } from "node:os";
import { describe, it } from "node:test";
import { describeSystem } from "./description.ts";
import { createFakeMachine } from "./testing/fake-machine.ts";

describe("the description of a system", () => {
  it("names what does not change", () => {
    const description = describeSystem({ annexVersion: "1.2.3" });
    assert.equal(description.platform, process.platform);
    assert.equal(description.arch, process.arch);
    assert.equal(description.hostname, hostname());
    assert.equal(description.cpuCount, cpus().length);
    assert.equal(description.nodeVersion, process.versions.node);
    assert.equal(description.v8Version, process.versions.v8);
    assert.equal(description.annexVersion, "1.2.3");
    assert.equal(description.pid, process.pid);
    assert.ok(description.release.length > 0);
  });

  it("leaves out what it does not know", (t) => {
    const { root } = createFakeMachine(t);
    const description = describeSystem({ root, platform: "linux" });
    assert.ok(!("container" in description));
    assert.ok(!("annexVersion" in description));
  });
});

describe("the kind of container", () => {
  const id = "2f1c0d".repeat(10);
  const cases: readonly (readonly [kind: string, files: Record<string, string>])[] = [
    ["docker", { ".dockerenv": "" }],
    ["docker", { "proc/self/cgroup": `0::/system.slice/docker-${id}.scope\n` }],
    ["podman", { "run/.containerenv": "" }],
    ["podman", { "proc/self/cgroup": `0::/machine.slice/libpod-${id}.scope\n` }],
    ["kubernetes", { ".dockerenv": "", "var/run/secrets/kubernetes.io/serviceaccount/token": "" }],
    ["kubernetes", { "proc/self/cgroup": `4:memory:/kubepods/besteffort/pod1/docker-${id}\n` }],
    ["lxc", { "proc/self/cgroup": "4:memory:/lxc/web\n" }],
    ["containerd", { "proc/self/cgroup": `0::/system.slice/containerd-${id}.scope\n` }],
  ];
  for (const [kind, files] of cases)
    it(`is ${kind} by ${Object.keys(files).at(-1)}`, (t) => {
      const { root } = createFakeMachine(t, files);
      assert.equal(describeSystem({ root, platform: "linux" }).container, kind);
    });

  it("is not looked for on other systems", (t) => {
    const { root } = createFakeMachine(t, { ".dockerenv": "" });
    assert.ok(!("container" in describeSystem({ root, platform: "darwin" })));
  });
});
