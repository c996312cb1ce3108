// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { isSigned } from "./signature.ts";

interface PaymentEvent {
  id: string;
  type: "payment.succeeded" | "payment.failed";
  data: { payment: string; amount: number };
}

interface PushEvent {
  ref: string;
  repository: { full_name: string };
  commits: { id: string; message: string }[];
}

declare const settings: { paymentSecret: string; repositorySecret: string };
declare const payments: {
  settle(payment: string, amount: number): Promise<void>;
  fail(payment: string): Promise<void>;
};
declare const builds: { queue(repository: string, commit: string): Promise<void> };

/** Takes the events of the payment provider. */
async function receivePaymentEvent(e: RequestEvent) {
  const signature = e.header("x-payment-signature");
  if (signature === undefined) throw e.error(400, "The signature is missing.");
  const text = await e.readText();
  if (!isSigned(text, signature, settings.paymentSecret)) throw e.error(400, "The signature is wrong.");
  // What is signed is what they wrote, so it is JSON.
  const event = JSON.parse(text) as PaymentEvent;
  if (event.type === "payment.succeeded") await payments.settle(event.data.payment, event.data.amount);
  else await payments.fail(event.data.payment);
  return e.noContent();
}

/** Takes the events of the source repository. */
async function receivePush(e: RequestEvent) {
  const text = await e.readText();
  const signature = e.header("x-hub-signature-256")?.replace("sha256=", "");
  if (signature === undefined || !isSigned(text, signature, settings.repositorySecret)) {
    throw e.error(401, "This did not come from the repository.");
  }
  let push: PushEvent;
  try {
    push = JSON.parse(text) as PushEvent;
  } catch {
    throw e.error(400, "The event is not JSON.");
  }
  if (e.header("x-github-event") === "ping") return e.noContent();
  for (const commit of push.commits) await builds.queue(push.repository.full_name, commit.id);
  return e.json(202, { queued: push.commits.length });
}

export function routes(router: VersionedRouter): void {
  router.post("/webhooks/payments", receivePaymentEvent);
  router.post("/webhooks/repository", receivePush);
}
