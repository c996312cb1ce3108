import { addressOf } from "../../data/api.ts";
import { Icon } from "../../ui/icon.tsx";
import { whoParams } from "./question.ts";
import { type ListName, type Visits, visitsPath } from "./shapes.ts";

interface FileLinkProps {
  readonly list: ListName | "days";
  /** The content of the file, as part of a sentence. */
  readonly name: string;
  readonly visits: Visits;
}

/** Link to download a list with the current window and filters. */
export function FileLink({ list, name, visits: { from, to } }: FileLinkProps) {
  const href = addressOf(`${visitsPath}.csv`, { list, from, to, ...whoParams() });
  return (
    <a class="button ghost" href={href} download={`visitors-${list}.csv`} title={`Download ${name} as CSV`}>
      <Icon name="download" label={`Download ${name} as CSV`} />
    </a>
  );
}
