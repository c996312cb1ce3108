import { requireSuperuserAuth } from "../../../auth/index.ts";
import { bodyLimit, compress, neverCached, type RequestEvent, type Router } from "../../../http/index.ts";
import type { FieldProblem } from "../../../lib/errors/errors.ts";
import { invalid, refuseInvalid } from "../../../lib/fields.ts";
import { VIEW_UNKNOWN } from "../errors.ts";
import type * as wire from "../wire.ts";
import { overviewAddress, parseAddress } from "./address.ts";
import { nameProblem, normalizeName } from "./name.ts";
import type { ViewInput, ViewRow, ViewStore } from "./store.ts";

export interface ViewRoutesParts {
  readonly store: ViewStore;
  /** Whether the dashboard has a page of this name. */
  hasPage(name: string): Promise<boolean>;
}

/** Enough for the longest name and address with every character escaped. */
const bodyBytes = 32_768;

/** The saved views of the superuser who sends the request. Views of others do not exist for these routes. */
export function mountViews(router: Router, { store, hasPage }: ViewRoutesParts): void {
  const data = router.setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, bodyLimit(bodyBytes), compress());

  data.get("/views", async (e) => {
    const rows = await store.list(ownerOf(e));
    return e.json(200, { views: rows.map(toView) } satisfies wire.SavedViewList);
  });

  data.post("/views", async (e) => {
    const { isReplacing, ...view } = await readNewView(e, hasPage);
    const { row, isNew } = await store.save(ownerOf(e), view, { isReplacing });
    return e.json(isNew ? 201 : 200, toView(row));
  });

  data.patch("/views/{id}", async (e) => {
    const name = normalizeName((await readBody(e)).name);
    refuseInvalid({ name: nameProblem(name) });
    return e.json(200, toView(await store.rename(ownerOf(e), readId(e), name)));
  });

  data.delete("/views/{id}", async (e) => {
    await store.remove(ownerOf(e), readId(e));
    return e.noContent();
  });
}

/** The guard of these routes lets only superusers pass. */
function ownerOf({ auth }: RequestEvent<never>): string {
  return auth!.id;
}

function readId(e: RequestEvent<"id">): string {
  const id = e.pathValue("id");
  if (!/^[a-z0-9]{15}$/.test(id)) throw VIEW_UNKNOWN(id.slice(0, 100));
  return id;
}

async function readBody(e: RequestEvent<never>): Promise<Record<string, unknown>> {
  const body = await e.bindBody<unknown>();
  return (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
}

async function readNewView(
  e: RequestEvent<never>,
  hasPage: ViewRoutesParts["hasPage"],
): Promise<ViewInput & { isReplacing: boolean }> {
  const body = await readBody(e);
  const name = normalizeName(body.name);
  const address = parseAddress(body.address);
  const isPage = address !== undefined && (address.page === undefined || (await hasPage(address.page)));
  refuseInvalid({
    name: nameProblem(name),
    address: isPage ? undefined : invalid("address", "a page of the dashboard, such as /_/_/logs?range=1h"),
    replace: replaceProblem(body.replace),
  });
  return { name, address: address!.text, isReplacing: body.replace === true };
}

function replaceProblem(replace: unknown): FieldProblem | undefined {
  return replace === undefined || typeof replace === "boolean"
    ? undefined
    : invalid("replace", "true, false or omitted");
}

/** The address is checked again, because the dashboard opens it. An invalid one becomes that of the overview. */
function toView({ id, name, address, created, updated }: ViewRow): wire.SavedView {
  return { id, name, address: parseAddress(address)?.text ?? overviewAddress, created, updated };
}
