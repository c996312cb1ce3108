import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createFakeMachine } from "../testing/fake-machine.ts";
import { type Controller, findControlGroup, smallestLimit } from "./cgroup.ts";

interface Scenario {
  readonly name: string;
  readonly cgroup: string;
  readonly mountinfo: string;
  readonly controller?: Controller;
  /** Relative to the root; undefined if no group should be found. */
  readonly expected: { version: 1 | 2; folders: string[]; isOutermost: boolean } | undefined;
}

const unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
const docker = "/docker/2f1c";

const scenarios: Scenario[] = [
  {
    name: "a service of the second version, and the groups around it",
    cgroup: "0::/system.slice/app.service\n",
    mountinfo: `22 27 0:21 / /proc rw - proc proc rw\n${unified}`,
    expected: {
      version: 2,
      folders: ["sys/fs/cgroup/system.slice/app.service", "sys/fs/cgroup/system.slice", "sys/fs/cgroup"],
      isOutermost: false,
    },
  },
  {
    name: "a container of the second version that sees itself as the outermost",
    cgroup: "0::/\n",
    mountinfo: unified,
    expected: { version: 2, folders: ["sys/fs/cgroup"], isOutermost: true },
  },
  {
    name: "a container of the first version, mounted from its own group on",
    cgroup: `9:name=systemd:${docker}\n4:memory:${docker}\n1:cpu,cpuacct:${docker}\n0::/\n`,
    mountinfo: `${unified}35 31 0:32 ${docker} /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n`,
    expected: { version: 1, folders: ["sys/fs/cgroup/memory"], isOutermost: false },
  },
  {
    name: "a group within a container of the first version",
    cgroup: `4:memory:${docker}/inner\n`,
    mountinfo: `35 31 0:32 ${docker} /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n`,
    expected: {
      version: 1,
      folders: ["sys/fs/cgroup/memory/inner", "sys/fs/cgroup/memory"],
      isOutermost: false,
    },
  },
  {
    name: "one of two controllers that share a hierarchy",
    cgroup: "4:memory:/m\n1:cpu,cpuacct:/c\n",
    mountinfo:
      "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n36 31 0:33 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
    controller: "cpuacct",
    expected: {
      version: 1,
      folders: ["sys/fs/cgroup/cpu,cpuacct/c", "sys/fs/cgroup/cpu,cpuacct"],
      isOutermost: false,
    },
  },
  {
    name: "what the first version does not name, in the second",
    cgroup: "4:pids:/p\n0::/app\n",
    mountinfo: "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
    expected: {
      version: 2,
      folders: ["sys/fs/cgroup/unified/app", "sys/fs/cgroup/unified"],
      isOutermost: false,
    },
  },
  {
    name: "the mount that shows the group, of several",
    cgroup: "4:memory:/a/b\n",
    mountinfo:
      "35 31 0:32 /other /mnt/other rw - cgroup cgroup rw,memory\n36 31 0:32 /a /mnt/a rw - cgroup cgroup rw,memory\n",
    expected: { version: 1, folders: ["mnt/a/b", "mnt/a"], isOutermost: false },
  },
  {
    name: "the mounted group if the process's group is outside of it",
    cgroup: "0::/../neighbour\n",
    mountinfo: unified,
    expected: { version: 2, folders: ["sys/fs/cgroup"], isOutermost: false },
  },
  {
    name: "a mount point with a blank and a group with a colon",
    cgroup: "0::/a:b\n",
    mountinfo: "30 23 0:26 / /sys/my\\040groups rw - cgroup2 cgroup2 rw\n",
    expected: { version: 2, folders: ["sys/my groups/a:b", "sys/my groups"], isOutermost: false },
  },
  { name: "nothing where no groups are mounted", cgroup: "0::/app\n", mountinfo: "", expected: undefined },
  { name: "nothing where the process has no group", cgroup: "", mountinfo: unified, expected: undefined },
  {
    name: "nothing in garbage",
    cgroup: "x\n::\n4\n",
    mountinfo: " - \n - cgroup2\ncgroup2",
    expected: undefined,
  },
];

describe("the group of this process", () => {
  for (const { name, cgroup, mountinfo, controller = "memory", expected } of scenarios)
    it(`is ${name}`, (t) => {
      const { root } = createFakeMachine(t, { "proc/self/cgroup": cgroup, "proc/self/mountinfo": mountinfo });
      const folders = expected?.folders.map((folder) => join(root, folder));
      assert.deepEqual(findControlGroup(root, controller), expected && { ...expected, folders });
    });

  it("is not known without /proc", (t) => {
    assert.equal(findControlGroup(createFakeMachine(t).root, "memory"), undefined);
  });
});

describe("the limit that counts", () => {
  const limits = (...values: number[]) => values.map((value, depth) => ({ folder: `${depth}`, value }));

  it("is the smallest, and of two the inner one", () => {
    assert.deepEqual(smallestLimit(limits(500, 200, 300)), { folder: "1", value: 200 });
    assert.deepEqual(smallestLimit(limits(200, 200)), { folder: "0", value: 200 });
  });

  it("is none when nothing is limited", () => {
    assert.equal(smallestLimit([]), undefined);
    assert.equal(smallestLimit(limits(NaN, 2 ** 63, Infinity)), undefined);
    assert.deepEqual(smallestLimit(limits(NaN, 7)), { folder: "1", value: 7 });
  });
});
