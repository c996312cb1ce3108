import { join, posix } from "node:path";
import { readSmallFile } from "../small-files.ts";

export type Controller = "memory" | "cpu" | "cpuacct";

/** The location of a controller's files for this process. */
export interface ControlGroup {
  readonly version: 1 | 2;
  /** The group of this process first, then its visible ancestors. */
  readonly folders: readonly string[];
  /** Whether the group is the root group, which usually is the machine itself. */
  readonly isOutermost: boolean;
}

/** Deeper than any real hierarchy. */
const maximumDepth = 32;

/**
 * Finds the group of this process for a controller. A controller belongs to one of the two cgroup versions: v1
 * controllers are listed by name in /proc/self/cgroup, all others belong to v2.
 */
export function findControlGroup(root: string, controller: Controller): ControlGroup | undefined {
  const groups = readSmallFile(join(root, "proc/self/cgroup")).split("\n").map(parseGroup);
  const first = groups.find(({ controllers }) => controllers.includes(controller));
  const group = first ?? groups.find(({ hierarchy }) => hierarchy === "0");
  if (!group) return undefined;
  const mount = findMount(root, group.path, first && controller);
  if (!mount) return undefined;
  const folders = foldersBelow(mount, group.path).map((folder) => join(root, folder));
  return { version: first ? 1 : 2, folders, isOutermost: group.path === "/" };
}

/** `4:cpu,cpuacct:/docker/2f1c…` in v1, `0::/system.slice/app.service` in v2. */
function parseGroup(line: string) {
  const [hierarchy = "", controllers = "", ...path] = line.split(":");
  return { hierarchy, controllers: controllers.split(","), path: path.join(":") };
}

interface Mount {
  /** The group visible at the mount point. */
  readonly group: string;
  readonly point: string;
}

/** In containers, the cgroup file system is often mounted at the container's own group, and more than once. */
function findMount(root: string, path: string, controller: Controller | undefined): Mount | undefined {
  const lines = readSmallFile(join(root, "proc/self/mountinfo")).split("\n");
  const mounts = lines.map((line) => parseMount(line, controller)).filter((mount) => mount !== undefined);
  return mounts.find(({ group }) => isWithin(group, path)) ?? mounts[0];
}

/** `36 35 0:32 /group /mount/point options… - type source options`. */
function parseMount(line: string, controller: Controller | undefined): Mount | undefined {
  const [mounted = "", system = ""] = line.split(" - ", 2);
  const [type, , options = ""] = system.split(" ");
  const isWanted = controller
    ? type === "cgroup" && options.split(",").includes(controller)
    : type === "cgroup2";
  const [, , , group, point] = mounted.split(" ");
  return isWanted && group && point ? { group: unescaped(group), point: unescaped(point) } : undefined;
}

/** Spaces in paths are escaped as `\040`. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function isWithin(group: string, path: string): boolean {
  return group === "/" || path === group || path.startsWith(`${group}/`);
}

/** If the group is not below the mount point, it is not visible; the mounted group is then used. */
function foldersBelow({ group, point }: Mount, path: string): string[] {
  const isVisible = isWithin(group, path) && !path.split("/").includes("..");
  const names = isVisible ? path.slice(group.length).split("/").filter(Boolean) : [];
  return Array.from({ length: Math.min(names.length + 1, maximumDepth) }, (_, outward) =>
    posix.join(point, ...names.slice(0, names.length - outward)),
  );
}

/** A limit, and the group that sets it. The limit applies to that group's usage. */
export interface Limit {
  readonly folder: string;
  readonly value: number;
}

/** v1 has no value for "unlimited"; it reports the largest number of whole pages. */
const unlimited = 2 ** 60;

/** The limits of all ancestors apply, so the smallest one counts; undefined if there is none. */
export function smallestLimit(limits: readonly Limit[]): Limit | undefined {
  const real = limits.filter(({ value }) => value < unlimited);
  return real.length > 0
    ? real.reduce((least, limit) => (limit.value < least.value ? limit : least))
    : undefined;
}
