// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { handleError, sendError, STATUS } from "./http.ts";
import type { SubscriberModel } from "./subscribers.ts";

declare const Subscribers: SubscriberModel;

// GET /subscribers
const getSubscribers = async (e: RequestEvent) => {
  try {
    const req = e.request;
    const res = e.response;
    res.setHeader("Access-Control-Allow-Origin", "*");
    if (e.method === "OPTIONS") {
      return e.noContent();
    }

    const apiKey = req.headers["x-api-key"];
    if (apiKey === undefined || apiKey !== process.env.NEWSLETTER_API_KEY) {
      return sendError(e, STATUS.UNAUTHORIZED, "Unauthorized");
    }

    const params = new URL(req.url || "/", "http://localhost").searchParams;
    const page = parseInt(params.get("page") || "1", 10);
    if (isNaN(page) || page < 1) {
      return sendError(e, STATUS.BAD_REQUEST, "Invalid page");
    }
    const confirmed = params.get("confirmed") === "true";

    const subscribers = await Subscribers.find({ confirmed, skip: (page - 1) * 20, limit: 20 });
    return e.json(STATUS.OK, { success: subscribers.length > 0, data: subscribers });
  } catch (err) {
    return handleError(e, err);
  }
};

// POST /subscribers
const createSubscriber = async (e: RequestEvent) => {
  try {
    const { email, name } = await e.bindBody<{ email: string; name: string }>();
    const existing = await Subscribers.findByEmail(email);
    if (existing) {
      return sendError(e, STATUS.CONFLICT, "Email already subscribed");
    }

    const source = e.request.headers["x-signup-source"];
    const subscriber = await Subscribers.create({
      email,
      name,
      source: typeof source === "string" ? source : null,
    });
    return e.json(STATUS.CREATED, subscriber);
  } catch (err) {
    return handleError(e, err);
  }
};

// PATCH /subscribers/:id
const updateSubscriber = async (e: RequestEvent<"id">) => {
  try {
    const id = e.pathValue("id");
    const subscriber = await Subscribers.findById(id);
    if (!subscriber) {
      return sendError(e, STATUS.NOT_FOUND, "Subscriber not found");
    }

    const body = await e.bindBody<{ name?: string; confirmed?: boolean }>();
    const updated = await Subscribers.update(id, body);
    return e.json(STATUS.OK, updated);
  } catch (err) {
    return handleError(e, err);
  }
};

// DELETE /subscribers/:id
const deleteSubscriber = async (e: RequestEvent<"id">) => {
  try {
    const res = e.response;
    const subscriber = await Subscribers.findById(e.pathValue("id"));
    if (!subscriber) {
      return sendError(e, STATUS.NOT_FOUND, "Subscriber not found");
    }

    await Subscribers.remove(subscriber.id);
    return res.writeHead(STATUS.NO_CONTENT).end();
  } catch (err) {
    return handleError(e, err);
  }
};

export function routes(router: VersionedRouter): void {
  router.get("/subscribers", getSubscribers);
  router.post("/subscribers", createSubscriber);
  router.patch("/subscribers/{id}", updateSubscriber);
  router.delete("/subscribers/{id}", deleteSubscriber);
}
