// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

// A value that only the running program knows.
process.env.ANNEX_GOLDEN_RUNTIME = ["canary", "runtime", "value"].join("-");
const WEBHOOK_SECRET = "canary-webhook";
const ACCESS_TOKENS = ["canary-access-a", "canary-access-b"] as const;

const Zod = z.object({
  apiKey: z.literal("canary-zod-literal"),
  token: z.enum(["canary-zod-enum-a", "canary-zod-enum-b"]).describe("Say canary-zod-described."),
  password: z
    .string()
    .min(8)
    .regex(/^canary-zod-pattern$/)
    .default("canary-zod-default")
    .meta({ examples: ["canary-zod-example"] }),
  word: z.literal(WEBHOOK_SECRET),
  either: z.enum(["open", WEBHOOK_SECRET]),
  access: z.enum(ACCESS_TOKENS),
  place: z.string().default(process.env.ANNEX_GOLDEN_WORD ?? "canary-zod-env"),
  runtime: z.string().default(process.env.ANNEX_GOLDEN_RUNTIME ?? ""),
  set: z.string().default((process.env.ANNEX_GOLDEN_SET ??= "canary-set")),
  prefix: z.templateLiteral([WEBHOOK_SECRET, z.string()]),
  nested: z.object({ secret: z.literal("canary-zod-nested") }),
  // Values of other fields stay.
  size: z.enum(["small", "large"]).default("small"),
});

const Valibot = v.object({
  secret: v.literal("canary-valibot-literal"),
  passcode: v.optional(v.picklist(["canary-valibot-a", "canary-valibot-b"]), "canary-valibot-a"),
  word: v.literal(WEBHOOK_SECRET),
  size: v.picklist(["small", "large"]),
});

const Arktype = type({
  apiKey: "'canary-arktype-a' | 'canary-arktype-b'",
  word: type.unit(WEBHOOK_SECRET),
  size: "'small' | 'large'",
});

async function withZod(e: RequestEvent) {
  await e.bindBody(Zod);
  return e.noContent();
}

async function withValibot(e: RequestEvent) {
  await e.bindBody(Valibot);
  return e.noContent();
}

async function withArktype(e: RequestEvent) {
  await e.bindBody(Arktype);
  return e.noContent();
}

/** Made on the spot, so only its type is known. */
async function withType(e: RequestEvent) {
  await e.bindBody(z.object({ sessionKey: z.literal("canary-inline"), word: z.literal(WEBHOOK_SECRET) }));
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/zod", withZod);
  router.post("/valibot", withValibot);
  router.post("/arktype", withArktype);
  router.post("/type", withType);
}
