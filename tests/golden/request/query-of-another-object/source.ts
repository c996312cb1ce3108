// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

class Client {
  async query(sql: string): Promise<string[]> {
    return [sql];
  }
  header(name: string): string {
    return name;
  }
  pathValue(name: string): string {
    return name;
  }
  async bindBody<T>(): Promise<T> {
    throw new Error("unused");
  }
  json(status: number, data: unknown): void {
    console.log(status, data);
  }
}

const db = new Client();

async function listRows(e: RequestEvent) {
  const rows = await db.query("select name from people");
  db.json(500, { failed: db.header("x-none") });
  await db.bindBody<{ nothing: true }>();
  return e.json(200, { rows, path: db.pathValue("none") });
}

export function routes(router: VersionedRouter): void {
  router.get("/rows", listRows);
}
