// API_SOURCE
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { ContactForm, Delivery, PaymentEvent, RepositoryEvent } from "./events.ts";

const signingSecret = process.env.PAYMENT_SECRET ?? "";
const formToken = process.env.FORM_TOKEN;
const deliveries = new Map<string, Delivery>();

declare function handle(id: string, event: PaymentEvent | RepositoryEvent | ContactForm): Promise<void>;

function isSigned(payload: string, signature: string): boolean {
  const expected = createHmac("sha256", signingSecret).update(payload).digest();
  const given = Buffer.from(signature, "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function keep(id: string, sender: Delivery["sender"]): Delivery {
  const delivery: Delivery = { id, sender, receivedAt: new Date(), failure: null };
  deliveries.set(id, delivery);
  return delivery;
}

/** Receives what the payment provider tells. */
export async function receivePayment(e: RequestEvent) {
  const signature = e.header("X-Payment-Signature");
  if (!signature) throw e.error(400, "The signature is missing.");
  const payload = await e.readText();
  if (!isSigned(payload, signature)) throw e.error(400, "The signature is wrong.");
  let event: PaymentEvent;
  try {
    event = JSON.parse(payload) as PaymentEvent;
  } catch {
    throw e.error(400, "The payload is not JSON.");
  }
  const known = deliveries.get(event.id);
  if (known) return e.json(200, known);
  await handle(event.id, event);
  return e.json(202, keep(event.id, "payments"));
}

/** Receives pushes and releases of our repositories. */
export async function receiveRepositoryEvent(e: RequestEvent) {
  switch (e.header("X-Event-Kind")) {
    case "push":
    case "release":
      break;
    default:
      throw e.error(400, "We listen to pushes and releases only.");
  }
  const event = await e.bindBody<RepositoryEvent>();
  const deliveryId = randomUUID();
  await handle(deliveryId, event);
  keep(deliveryId, "repository");
  return e.json(202, { deliveryId });
}

/** Receives the contact form of the website. */
export async function receiveContactForm(e: RequestEvent) {
  const token = e.query("token");
  if (token === undefined || token !== formToken) throw e.error(401, "The token is missing or wrong.");
  const form = await e.bindBody<ContactForm>();
  const { id } = keep(randomUUID(), "contact");
  await handle(id, form);
  return e.redirect(303, "https://www.example.com/thanks");
}

/** Lists deliveries, if wanted only those that failed. */
export function listDeliveries(e: RequestEvent) {
  const onlyFailed = e.query("failed") === "true";
  const found = [...deliveries.values()].filter((delivery) => !onlyFailed || delivery.failure !== null);
  return e.json(200, found);
}

/** Forgets a delivery, so that the sender may repeat it. */
export function forgetDelivery(e: RequestEvent<"id">) {
  if (!deliveries.delete(e.pathValue("id"))) throw e.error(404, "There is no such delivery.");
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/webhooks/payments", receivePayment);
  router.post("/webhooks/repository", receiveRepositoryEvent);
  router.post("/webhooks/contact", receiveContactForm);
  router.get("/deliveries", listDeliveries);
  router.delete("/deliveries/{id}", forgetDelivery);
}
