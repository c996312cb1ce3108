import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createSmallAnnex } from "../hosts/attached.ts";
import { fastifyKinds } from "../hosts/fastify.ts";
import { SlowRequests } from "../hosts/host.ts";
import { nestKinds } from "../hosts/nest.ts";

describe("a server that never listened, as in tests with inject", () => {
  for (const kind of [...fastifyKinds, ...nestKinds]) {
    it(`stops Annex when ${kind.name} closes`, async (t) => {
      const { annex, dataDir } = createSmallAnnex(t);
      const host = await kind.create(new SlowRequests());
      await annex.attach(host.target);
      await host.close();
      assert.match(readFileSync(join(dataDir, "app.log"), "utf8"), /Application stopped/);
    });
  }

  it("reports to the caller that it was not open", async (t) => {
    const { annex } = createSmallAnnex(t);
    const server = createServer();
    await annex.attach(server);
    const error = await new Promise<Error | undefined>((resolve) => server.close(resolve));
    assert.equal((error as NodeJS.ErrnoException).code, "ERR_SERVER_NOT_RUNNING");
  });
});
