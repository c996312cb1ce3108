// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const CREATED = 201;
const Status = { ok: 200, accepted: 202 } as const;

interface Doc {
  id: string;
}

declare function put(id: string): Promise<{ doc: Doc; isNew: boolean }>;

async function fromConst(e: RequestEvent) {
  return e.json(CREATED, (await put("a")).doc);
}

async function fromTernary(e: RequestEvent) {
  const { doc, isNew } = await put("a");
  return e.json(isNew ? 201 : 200, doc);
}

async function fromVariable(e: RequestEvent) {
  const { doc, isNew } = await put("a");
  const status = isNew ? CREATED : Status.ok;
  return e.json(status, doc);
}

async function fromObject(e: RequestEvent) {
  return e.json(Status.accepted, (await put("a")).doc);
}

async function fromSwitch(e: RequestEvent) {
  const { doc, isNew } = await put("a");
  let status: 200 | 201;
  switch (isNew) {
    case true:
      status = 201;
      break;
    default:
      status = 200;
  }
  return e.json(status, doc);
}

function statusOf(isNew: boolean) {
  if (isNew) return 201;
  return 200;
}

async function fromHelper(e: RequestEvent) {
  const { doc, isNew } = await put("a");
  return e.json(statusOf(isNew), doc);
}

export function routes(router: VersionedRouter): void {
  router.put("/const", fromConst);
  router.put("/ternary", fromTernary);
  router.put("/variable", fromVariable);
  router.put("/object", fromObject);
  router.put("/switch", fromSwitch);
  router.put("/helper", fromHelper);
}
