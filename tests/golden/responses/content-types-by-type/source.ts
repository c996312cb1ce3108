// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

type ImageType = "image/png" | "image/gif";

interface Photo {
  type: ImageType;
  bytes: Uint8Array;
}

declare function load(id: string): Promise<Photo>;
declare function guessType(id: string): "image/png" | "unknown";

/** The type of a field. */
async function getPhoto(e: RequestEvent<"id">) {
  const photo = await load(e.pathValue("id"));
  return e.bytes(200, photo.type, photo.bytes);
}

/** The type of a variable. */
async function getThumbnail(e: RequestEvent<"id">) {
  const { type, bytes } = await load(e.pathValue("id"));
  const contentType: ImageType = type;
  return e.bytes(200, contentType, bytes);
}

function send(e: RequestEvent, photo: Photo) {
  return e.bytes(200, photo.type, photo.bytes);
}

/** The type in a helper. */
async function getPreview(e: RequestEvent<"id">) {
  return send(e, await load(e.pathValue("id")));
}

/** One of the values is no content type, so none is documented. */
async function getOriginal(e: RequestEvent<"id">) {
  const { bytes } = await load(e.pathValue("id"));
  return e.bytes(200, guessType(e.pathValue("id")), bytes);
}

export function routes(router: VersionedRouter): void {
  router.get("/photos/{id}", getPhoto);
  router.get("/photos/{id}/thumbnail", getThumbnail);
  router.get("/photos/{id}/preview", getPreview);
  router.get("/photos/{id}/original", getOriginal);
}
