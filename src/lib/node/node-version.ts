/** The oldest supported Node version, as in `engines` in package.json. */
const oldest = "22.18.0";

/** An error message if the Node version is too old, otherwise `undefined`. */
export function findNodeProblem(version: string): string | undefined {
  return isOlder(version, oldest)
    ? `Annex requires Node ${oldest.replace(/\.0$/, "")} or newer, but this is Node ${version}.`
    : undefined;
}

function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((version) => version.split(".").map(Number));
  const at = ours!.findIndex((part, index) => part !== theirs![index]);
  return at !== -1 && ours![at]! < theirs![at]!;
}
