// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { loadStore, requireOpen, requireTerminal } from "./middleware.ts";
import { type Receipt, receipts, type Store, stores } from "./stores.ts";

/** List the stores of a city. */
function listStores(e: RequestEvent) {
  const city = e.query("city");
  return e.json(
    200,
    stores.filter((store) => city === undefined || store.city === city),
  );
}

/** Return the opening hours of a store. */
function getHours(e: RequestEvent) {
  const store = e.get<Store>("store")!;
  return e.json(200, { store: store.id, opens: store.opens, closes: store.closes });
}

/** List the receipts of a till. */
function listReceipts(e: RequestEvent) {
  const terminal = e.get<string>("terminal")!;
  return e.json(
    200,
    receipts.filter((receipt) => receipt.terminal === terminal),
  );
}

/** Void a receipt. */
function voidReceipt(e: RequestEvent<"store" | "number">) {
  const number = e.pathValue("number");
  const receipt: Receipt | undefined = receipts.find((other) => other.number === number);
  if (!receipt) throw e.error(404, "There is no such receipt.");
  receipt.voided = true;
  return e.json(200, receipt);
}

export function routes(router: VersionedRouter): void {
  router.get("/stores", listStores);

  const store = router.setPrefix("/stores/{store}");
  store.bindFunc(loadStore);
  store.get("/hours", getHours);

  const till = store.setPrefix("/till");
  till.get("/receipts", listReceipts);
  till.delete("/receipts/{number}", voidReceipt).bindFunc(requireOpen);
  till.bindFunc(requireTerminal);
}
