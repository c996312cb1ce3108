// API_SOURCE
import type { RequestEvent, UploadedFile, VersionedRouter } from "../../../../src/index.ts";

interface Upload {
  caption?: string;
  picture: UploadedFile;
}

declare function keep(file: UploadedFile, caption: string): Promise<string>;

async function uploadPicture(e: RequestEvent) {
  const { picture, caption = "" } = await e.bindBody<Upload>();
  return e.json(201, { id: await keep(picture, caption) });
}

export function routes(router: VersionedRouter): void {
  router.post("/pictures", uploadPicture);
}
