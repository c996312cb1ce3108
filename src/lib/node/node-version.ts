/** The oldest supported Node version, as in `engines` in package.json. */
const oldest = "22.18.0";

/** The part of `process.versions` that shows which program runs the code. */
export interface RuntimeVersions {
  readonly node: string;
  readonly bun?: string | undefined;
  readonly deno?: string | undefined;
}

/** The versions of the program that runs this code. */
export function readVersions(): RuntimeVersions {
  const { Deno } = globalThis as { Deno?: { version?: { deno?: string } } };
  return { ...process.versions, ...(Deno && { deno: Deno.version?.deno ?? "" }) };
}

/**
 * An error message if the code does not run in Node or if its version is too old, otherwise `undefined`. Others claim to
 * be a version of Node, too.
 */
export function findNodeProblem({ node: version, bun, deno }: RuntimeVersions): string | undefined {
  if (bun !== undefined) return describeOther(`Bun ${bun}`);
  if (deno !== undefined) return describeOther(`Deno ${deno}`);
  return isOlder(version, oldest) ? `${requirement}, but this is Node ${version}.` : undefined;
}

const requirement = `Annex requires Node ${oldest.replace(/\.0$/, "")} or newer`;

function describeOther(runtime: string): string {
  return `${requirement}. It does not run in ${runtime}: start the application with node.`;
}

function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((version) => version.split(".").map(Number));
  const at = ours!.findIndex((part, index) => part !== theirs![index]);
  return at !== -1 && ours![at]! < theirs![at]!;
}
