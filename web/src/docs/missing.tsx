import { hrefHere } from "../state/address.ts";
import { Empty } from "../ui/feedback/notice.tsx";
import * as site from "./site.ts";

/** A link to something that this version does not have. */
export function Missing({ title }: { title: string }) {
  return (
    <section class="panel">
      <h1>Not found</h1>
      <Empty
        icon="search"
        title={title}
        action={
          <a class="button" href={hrefHere({ op: undefined, schema: undefined })}>
            All endpoints of {site.version}
          </a>
        }
      />
    </section>
  );
}
