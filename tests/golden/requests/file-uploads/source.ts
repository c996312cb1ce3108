// API_SOURCE
import type { RequestEvent, UploadedFile, VersionedRouter } from "../../../../src/index.ts";

const MAX_AVATAR_BYTES = 2_000_000;
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);

interface AvatarForm {
  avatar: UploadedFile;
  crop?: "square" | "circle";
}

interface ClaimForm {
  policy: string;
  description: string;
  photos: UploadedFile[];
  policeReport?: UploadedFile;
}

declare const avatars: { store(profile: string, path: string, crop: string | undefined): Promise<string> };
declare const claims: { open(policy: string, text: string, files: string[]): Promise<{ id: string }> };
declare const scans: { keep(path: string, title: string): Promise<void> };

function assertImage(e: RequestEvent, file: UploadedFile): void {
  if (file.size > MAX_AVATAR_BYTES) throw e.error(413, "The picture is too large.");
  if (!IMAGE_TYPES.has(file.type)) throw e.error(415, "Send a PNG, JPEG or WebP picture.");
}

async function replaceAvatar(e: RequestEvent<"id">) {
  const { avatar, crop } = await e.bindBody<AvatarForm>();
  assertImage(e, avatar);
  return e.json(200, { url: await avatars.store(e.pathValue("id"), avatar.path, crop) });
}

async function openClaim(e: RequestEvent) {
  const form = await e.bindBody<ClaimForm>();
  if (form.photos.length > 10) throw e.error(422, "Send up to 10 photos.");
  const files = form.photos.map((photo) => photo.path);
  if (form.policeReport) files.push(form.policeReport.path);
  const claim = await claims.open(form.policy, form.description, files);
  return e.json(201, { id: claim.id, files: files.length });
}

async function uploadScan(e: RequestEvent) {
  const { scan } = await e.bindBody<{ scan: UploadedFile }>();
  await scans.keep(scan.path, e.query("title") ?? scan.name);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.put("/profiles/{id}/avatar", replaceAvatar);
  router.post("/claims", openClaim);
  router.post("/scans", uploadScan);
}
