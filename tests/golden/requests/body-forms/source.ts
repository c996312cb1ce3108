// API_SOURCE
import { z } from "zod";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface ContactForm {
  name: string;
  email: string;
  message: string;
  topic?: "sales" | "support" | "press";
}

interface SurveyAnswer {
  question: string;
  rating: number;
  remark?: string;
}

const Subscription = z.object({
  email: z.string().min(5).max(254),
  lists: z.array(z.string()).min(1),
  rhythm: z.enum(["weekly", "monthly"]).default("weekly"),
});

declare function sendToTeam(form: ContactForm): Promise<void>;
declare function subscribe(data: z.infer<typeof Subscription>): Promise<string>;
declare function saveAnswer(survey: string, answer: SurveyAnswer): Promise<void>;

/** Takes the contact form of the website. */
async function submitContact(e: RequestEvent) {
  const form = await e.bindBody<ContactForm>();
  await sendToTeam(form);
  return e.redirect(303, "/contact/thanks");
}

/** Subscribes to newsletters. */
async function createSubscription(e: RequestEvent) {
  const data = await e.bindBody(Subscription);
  const id = await subscribe(data);
  e.setHeader("Location", `/subscriptions/${id}`);
  return e.json(201, { id });
}

/** Stores the answer to one question. */
async function answerSurvey(e: RequestEvent<"id">) {
  const answer: SurveyAnswer = await e.bindBody();
  await saveAnswer(e.pathValue("id"), answer);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/contact", submitContact);
  router.post("/subscriptions", createSubscription);
  router.post("/surveys/{id}/answers", answerSurvey);
}
