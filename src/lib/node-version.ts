/** The oldest Node that Annex runs on; `engines` in package.json says the same. */
const oldest = "22.18.0";

/** A sentence for a Node that is too old; `undefined` for one that is not. */
export function findNodeProblem(version: string): string | undefined {
  return isOlder(version, oldest)
    ? `Annex needs Node ${oldest.replace(/\.0$/, "")} or newer, but this is Node ${version}.`
    : undefined;
}

function isOlder(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((version) => version.split(".").map(Number));
  const at = ours!.findIndex((part, index) => part !== theirs![index]);
  return at !== -1 && ours![at]! < theirs![at]!;
}
