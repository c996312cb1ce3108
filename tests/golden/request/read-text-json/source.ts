// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Setting {
  key: string;
  value: string;
}

declare function store(setting: Setting): Promise<void>;

async function asserted(e: RequestEvent) {
  const setting = JSON.parse(await e.readText()) as Setting;
  await store(setting);
  return e.noContent();
}

async function annotated(e: RequestEvent) {
  const text = await e.readText();
  const setting: Setting = JSON.parse(text);
  await store(setting);
  return e.noContent();
}

async function readJson<T>(e: RequestEvent): Promise<T> {
  return JSON.parse(await e.readText()) as T;
}

async function throughHelper(e: RequestEvent) {
  await store(await readJson<Setting>(e));
  return e.noContent();
}

async function fromBytes(e: RequestEvent) {
  const bytes = await e.readBytes();
  const setting = JSON.parse(new TextDecoder().decode(bytes)) as Setting;
  await store(setting);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.put("/asserted", asserted);
  router.put("/annotated", annotated);
  router.put("/helper", throughHelper);
  router.put("/bytes", fromBytes);
}
