import { existsSync } from "node:fs";
import { arch, cpus, hostname, release } from "node:os";
import { join } from "node:path";
import { defined } from "../../../lib/defined.ts";
import { readSmallFile } from "./small-files.ts";

/** Properties of the system that do not change while the process runs. */
export interface SystemDescription {
  readonly platform: string;
  readonly arch: string;
  /** Release of the operating system. */
  readonly release: string;
  readonly hostname: string;
  readonly cpuCount: number;
  readonly cpuModel?: string;
  readonly nodeVersion: string;
  readonly v8Version: string;
  readonly annexVersion?: string;
  /** Release of the application. */
  readonly appRelease?: string;
  readonly pid: number;
  /** Kind of container: `docker`, `kubernetes` and others. Absent if none is detected. */
  readonly container?: string;
}

export interface DescriptionOptions {
  readonly annexVersion?: string;
  readonly appRelease?: string | undefined;
  /** Root of /proc and of the files created by container engines. Default: "/". */
  readonly root?: string;
  /** Default: the platform of this process. */
  readonly platform?: NodeJS.Platform;
}

export function describeSystem(options: DescriptionOptions = {}): SystemDescription {
  const { annexVersion, appRelease, root = "/", platform = process.platform } = options;
  const cores = cpus();
  const model = cores[0]?.model.trim();
  const container = platform === "linux" ? findContainer(root) : undefined;
  return defined({
    platform,
    arch: arch(),
    release: release(),
    hostname: hostname(),
    cpuCount: cores.length,
    // Node reports "unknown" for processors without a name.
    cpuModel: model === "" || model === "unknown" ? undefined : model,
    nodeVersion: process.versions.node,
    v8Version: process.versions.v8,
    annexVersion,
    appRelease,
    pid: process.pid,
    container,
  });
}

/**
 * Indicators of containers: a file created by the engine, or a word in the names of its groups. Kubernetes comes first,
 * because it uses the others.
 */
const signs: readonly { readonly kind: string; readonly file?: string; readonly word: string }[] = [
  { kind: "kubernetes", file: "var/run/secrets/kubernetes.io", word: "kubepods" },
  { kind: "podman", file: "run/.containerenv", word: "libpod" },
  { kind: "docker", file: ".dockerenv", word: "docker" },
  { kind: "lxc", word: "lxc" },
  { kind: "containerd", word: "containerd" },
];

function findContainer(root: string): string | undefined {
  const groups = readSmallFile(join(root, "proc/self/cgroup"));
  const isSeen = (file?: string) => file !== undefined && existsSync(join(root, file));
  return signs.find(({ file, word }) => isSeen(file) || groups.includes(word))?.kind;
}
