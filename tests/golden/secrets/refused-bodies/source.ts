// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { requireWord } from "./guard.ts";

const Zod = z.object({
  word: z.enum(["CANARY-zod-a", "CANARY-zod-b"]).default("CANARY-zod-a"),
  code: z
    .string()
    .regex(/^CANARY-pattern$/)
    .meta({ examples: ["CANARY-example"] }),
  inner: z.object({ deep: z.array(z.literal("CANARY-deep")) }),
});
const Valibot = v.object({ word: v.optional(v.picklist(["CANARY-valibot-a", "CANARY-valibot-b"])) });
const Arktype = type({ word: "'CANARY-arktype-a' | 'CANARY-arktype-b'" });

interface First {
  kind: "CANARY-first";
  next?: First | Second;
}
interface Second {
  kind: "CANARY-second";
  size: number;
}

/** Used for a route that refuses access, and for one that does not. */
interface Shared {
  size: "small" | "large";
}

declare function isWelcome(word: string): boolean;
declare function findUser(word: string): { name: string } | undefined;

async function parsed(e: RequestEvent) {
  const x = z.object({ q: z.enum(["CANARY-parsed"]) }).safeParse(await e.bindBody());
  if (!x.success) throw e.error(403);
  return e.noContent();
}

async function typed(e: RequestEvent) {
  const body = await e.bindBody<{ code: "CANARY-plain-type" }>();
  if (!body.code) throw e.error(403);
  return e.noContent();
}

async function bound(e: RequestEvent) {
  const body = await e.bindBody(Zod);
  if (body.word !== "CANARY-zod-a") return e.json(401, { reason: "No." });
  return e.noContent();
}

async function withValibot(e: RequestEvent) {
  const result = v.safeParse(Valibot, await e.bindBody());
  return result.success ? e.noContent() : e.json(403, { reason: "No." });
}

async function withArktype(e: RequestEvent) {
  const result = Arktype(await e.bindBody());
  if (result instanceof type.errors) throw e.error(401);
  return e.noContent();
}

async function caught(e: RequestEvent) {
  try {
    Zod.parse(await e.bindBody());
  } catch {
    throw e.error(401);
  }
  return e.noContent();
}

async function caughtLater(e: RequestEvent) {
  const body = await e.bindBody<{ word: "CANARY-caught" }>();
  try {
    Zod.parse(body);
  } catch (error) {
    if (error instanceof z.ZodError) throw e.error(403);
    throw error;
  }
  return e.noContent();
}

async function rejected(e: RequestEvent) {
  await e.bindBody(Zod).catch(() => {
    throw e.error(401);
  });
  return e.noContent();
}

async function chained(e: RequestEvent) {
  return e.bindBody<{ word: "CANARY-chained" }>().then((body) => {
    if (body.word !== "CANARY-chained") throw e.error(403);
    return e.noContent();
  });
}

async function destructured(e: RequestEvent) {
  const {
    inner: { word = "CANARY-default" },
  } = await e.bindBody<{ inner: { word?: "CANARY-destructured-a" | "CANARY-destructured-b" } }>();
  if (!isWelcome(word)) throw e.error(401);
  return e.noContent();
}

async function parsedText(e: RequestEvent) {
  const body = JSON.parse(await e.readText()) as { word: "CANARY-text" };
  if (body.word !== "CANARY-text") throw e.error(403);
  return e.noContent();
}

async function recursive(e: RequestEvent) {
  const body = await e.bindBody<First | Second>();
  switch (body.kind) {
    case "CANARY-first":
      return e.noContent();
    case "CANARY-second":
      break;
  }
  if (e.query("slow")) {
    return e.json(200, { isSlow: true });
  }
  return e.json(403, { reason: "No." });
}

/** The flag and the refusal are far from the body. */
async function flagged(e: RequestEvent) {
  let isAllowed = false;
  const body = await e.bindBody<{
    word: "CANARY-flagged";
    items: ("CANARY-element-a" | "CANARY-element-b")[];
  }>();
  for (const item of body.items) if (isWelcome(item)) isAllowed = true;
  if (!isAllowed) throw e.error(403);
  return e.noContent();
}

async function tried(e: RequestEvent) {
  let isValid = true;
  try {
    Zod.parse(await e.bindBody());
  } catch {
    isValid = false;
  }
  if (!isValid) throw e.error(403);
  return e.noContent();
}

async function closed(e: RequestEvent) {
  const body = await e.bindBody<{ word: "CANARY-closed" }>();
  const isRight = () => body.word === "CANARY-closed";
  const first = isRight();
  if (!isRight()) throw e.error(403);
  return e.json(200, { first });
}

class Guard {
  private readonly word: string;
  private isOpen = false;

  constructor(body: { word: string }) {
    this.word = body.word;
  }

  look(): this {
    if (this.word === "CANARY-guard") this.isOpen = true;
    return this;
  }

  demand(e: RequestEvent): void {
    if (!this.isOpen) throw e.error(403);
  }
}

async function guarded(e: RequestEvent) {
  new Guard(await e.bindBody<{ word: "CANARY-guard" }>()).look().demand(e);
  return e.noContent();
}

const loadWord = async (e: RequestEvent) => (await e.bindBody<{ word: "CANARY-loaded" }>()).word;

function demand(e: RequestEvent, isAllowed: boolean): void {
  if (!isAllowed) throw e.error(401);
}

function isRightWord(word: string): boolean {
  if (word === "CANARY-loaded") return true;
  return false;
}

async function helped(e: RequestEvent) {
  demand(e, isRightWord(await loadWord(e)));
  return e.noContent();
}

async function chosenStatus(e: RequestEvent) {
  const { word } = await e.bindBody<{ word: "CANARY-status" }>();
  return e.json(findUser(word) ? 200 : 401, { isDone: true });
}

/** The response repeats the body. */
async function echoed(e: RequestEvent) {
  const body = await e.bindBody<{ word: "CANARY-echo"; first: First }>();
  if (!isWelcome(body.word)) throw e.error(403);
  return e.json(200, { first: body.first, word: body.word, size: "small" } as const);
}

function afterMiddleware(e: RequestEvent) {
  return e.noContent();
}

async function refusedShared(e: RequestEvent) {
  const body = await e.bindBody<Shared>();
  if (body.size === "large") throw e.error(403);
  return e.noContent();
}

/** Literals stay where a request is refused for another reason. */
async function open(e: RequestEvent) {
  if (e.header("x-user") === undefined) throw e.error(401);
  const body = await e.bindBody<Shared>();
  if (body.size !== "small") throw e.error(400);
  const owner = findUser(e.pathValue("id"));
  if (!owner) throw e.error(403);
  return e.noContent();
}

async function openValidated(e: RequestEvent) {
  const x = z.object({ size: z.enum(["small", "large"]) }).safeParse(await e.bindBody());
  if (!x.success) return e.json(422, { reason: "Invalid." });
  if (!findUser(e.pathValue("id"))) throw e.error(403);
  return e.json(200, x.data);
}

export function routes(router: VersionedRouter): void {
  router.post("/parsed", parsed);
  router.post("/typed", typed);
  router.post("/bound", bound);
  router.post("/valibot", withValibot);
  router.post("/arktype", withArktype);
  router.post("/caught", caught);
  router.post("/caught-later", caughtLater);
  router.post("/rejected", rejected);
  router.post("/chained", chained);
  router.post("/destructured", destructured);
  router.post("/parsed-text", parsedText);
  router.post("/recursive", recursive);
  router.post("/flagged", flagged);
  router.post("/tried", tried);
  router.post("/closed", closed);
  router.post("/guarded", guarded);
  router.post("/helped", helped);
  router.post("/chosen-status", chosenStatus);
  router.post("/echoed", echoed);
  router.post("/after-middleware", afterMiddleware).bindFunc(requireWord);
  router.post("/refused-shared", refusedShared);
  router.post("/open/{id}", open);
  router.post("/open-validated/{id}", openValidated);
}
