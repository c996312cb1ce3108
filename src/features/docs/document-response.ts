import { type RequestEvent, sendCached } from "../../http/index.ts";
import type { Docs } from "./docs.ts";
import { DOCUMENT_NOT_FOUND } from "./errors.ts";
import type { Asker } from "./versions/published.ts";
import type { Version } from "./versions/version.ts";

/** An enabled version. Disabled versions are treated as unknown. */
export function findShown(docs: Docs, label: string): Version {
  const version = docs.find(label);
  if (!version?.config.enabled) throw DOCUMENT_NOT_FOUND(label);
  return version;
}

interface DocumentOptions {
  /**
   * Whether to send the document that superusers see. It depends on the route, never on the reader, so it can be
   * cached.
   */
  readonly isSuperuser?: boolean;
  readonly isPrivate?: boolean;
}

/** Sends the document of a version as soon as it is complete. Shared caches may store a public one. */
export async function sendDocument(
  e: RequestEvent<never>,
  docs: Docs,
  version: Version,
  { isSuperuser = false, isPrivate = isSuperuser || !version.config.publicSwagger }: DocumentOptions = {},
): Promise<unknown> {
  await docs.settle();
  const { body, etag } = await docs.builder.publish(version, { ...askerOf(e), isSuperuser });
  e.setHeader("Vary", "Host, X-Forwarded-Host, X-Forwarded-Proto");
  const keeping = isPrivate ? "private" : "asking";
  return sendCached(e, { type: "application/json", body, etag, keeping });
}

/** For routes that only superusers can reach. */
export const superuserOf = (e: RequestEvent<never>): Asker => ({ ...askerOf(e), isSuperuser: true });

export function askerOf(e: RequestEvent<never>): Asker {
  const { host, protocol } = e.url;
  return { host, scheme: protocol.slice(0, -1) };
}
