/**
 * Annex on servers that an application has already: one adapter per framework. An adapter passes every request to Annex
 * before the application, and reports which route handled it and which error it failed with.
 */
import { StartError } from "../lib/errors/start-error.ts";
import { refuseUnknown } from "../lib/options/only-known.ts";
import type { Adapter, AttachContext, Attachment, AttachOptions } from "./adapter.ts";
import { attachExpress } from "./express/express.ts";
import { attachFastify } from "./fastify.ts";
import { attachHono } from "./hono.ts";
import { attachKoa } from "./koa.ts";
import { attachNest } from "./nest.ts";
import { attachNode } from "./node.ts";

export type { AttachContext, Attachment, AttachOptions, HostRoute, ServerUse } from "./adapter.ts";

const adapters: readonly Adapter[] = [
  attachNode,
  attachExpress,
  attachFastify,
  attachNest,
  attachKoa,
  attachHono,
];

/** Attaches Annex to an application or a server. */
export function attachTo(target: unknown, context: AttachContext, options: AttachOptions): Attachment {
  refuseUnknown<AttachOptions>("attach", options, { server: true });
  for (const attach of adapters) {
    const attachment = attach(target, context, options);
    if (attachment !== undefined) return attachment;
  }
  throw new StartError(
    "ATTACH_UNSUPPORTED",
    "Annex cannot be attached to this value. Pass an Express, Fastify, NestJS, Koa or Hono application, or a server of node:http.",
  );
}
