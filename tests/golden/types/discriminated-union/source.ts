// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Card {
  kind: "card";
  digits: string;
}

interface Transfer {
  kind: "transfer";
  iban: string;
}

type Payment = Card | Transfer;

declare function find(): Payment;

function getPayment(e: RequestEvent) {
  return e.json(200, find());
}

async function pay(e: RequestEvent) {
  const payment = await e.bindBody<Payment>();
  return e.json(201, { kind: payment.kind });
}

export function routes(router: VersionedRouter): void {
  router.get("/payment", getPayment);
  router.post("/payment", pay);
}
