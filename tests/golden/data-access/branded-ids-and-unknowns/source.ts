// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type AttemptNumber, type DeliveryId, type EndpointId, endpointId } from "./ids.ts";

interface Delivery {
  id: DeliveryId;
  endpointId: EndpointId;
  attempt: AttemptNumber;
  payload: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the other side answers
  answer: any;
  headers: Record<string, string>;
  arguments: unknown[];
  sentAt: Date;
}

interface WebhookRepository {
  deliveries(endpoint: EndpointId): Promise<Delivery[]>;
  schema(endpoint: EndpointId): Promise<unknown>;
}

declare const webhooks: WebhookRepository;

async function listDeliveries(e: RequestEvent<"id">) {
  const deliveries = await webhooks.deliveries(endpointId(e.pathValue("id")));
  return e.json(200, deliveries);
}

async function countFailures(e: RequestEvent) {
  const failures: Record<EndpointId, number> = {};
  for (const id of e.queryAll("endpoint").map(endpointId)) {
    const deliveries = await webhooks.deliveries(id);
    failures[id] = deliveries.filter((delivery) => delivery.attempt > 3).length;
  }
  return e.json(200, failures);
}

async function getLastDelivery(e: RequestEvent<"id">) {
  const deliveries = await webhooks.deliveries(endpointId(e.pathValue("id")));
  const last = deliveries.at(-1);
  if (!last) throw e.error(404, "Nothing has been delivered yet.");
  const { id, attempt, payload } = last;
  return e.json(200, { id, attempt, payload, previous: deliveries.slice(0, -1).map((one) => one.id) });
}

async function getSchema(e: RequestEvent<"id">) {
  const schema = await webhooks.schema(endpointId(e.pathValue("id")));
  return e.json(200, schema);
}

export function routes(router: VersionedRouter): void {
  router.get("/endpoints/{id}/deliveries", listDeliveries);
  router.get("/endpoints/{id}/deliveries/last", getLastDelivery);
  router.get("/endpoints/{id}/schema", getSchema);
  router.get("/failures", countFailures);
}
