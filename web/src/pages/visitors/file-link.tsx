import type { Lists, Visits } from "../../../../src/features/visitors/wire.ts";
import { urlOf } from "../../data/routes.ts";
import { Icon } from "../../ui/icon.tsx";
import { whoParams } from "./filter-params.ts";

interface FileLinkProps {
  readonly list: keyof Lists | "days";
  /** The content of the file, as part of a sentence. */
  readonly name: string;
  readonly visits: Visits;
}

/** Link to download a list with the current window and filters. */
export function FileLink({ list, name, visits: { from, to } }: FileLinkProps) {
  const href = urlOf("/_/_/data/visitors.csv", { list, from, to, ...whoParams() });
  return (
    <a class="button ghost" href={href} download={`visitors-${list}.csv`} title={`Download ${name} as CSV`}>
      <Icon name="download" label={`Download ${name} as CSV`} />
    </a>
  );
}
