import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAnalysis } from "../testing/analysis.ts";
import { DocumentBuilder } from "./published.ts";
import { APIVersionManager } from "./version-manager.ts";

const asker = { host: "api.example.com", scheme: "https" };

function createPress() {
  const manager = new APIVersionManager();
  manager.registerVersion("v1");
  manager.setVersionRouteRegistrar("v1", (router) => void router.get("/api/v1/x", () => {}));
  manager.registerAllVersionRoutesForDocs();
  const builder = new DocumentBuilder({ now: Date.now });
  const version = manager.find("v1")!;
  const describeX = async () => (await builder.create(version, asker)).paths["/x"]!.get!.description;
  return { manager, builder, version, describeX };
}

/** An analysis that counts the documents it writes. */
function createCountingAnalysis(description: string) {
  const analysis = createAnalysis({ level: "exact", factsOf: () => ({ description }) });
  const counting = {
    ...analysis,
    written: 0,
    isBroken: false,
    write: async (order: Parameters<typeof analysis.write>[0]) => {
      counting.written++;
      if (counting.isBroken) throw new Error("The analysis has ended.");
      return analysis.write(order);
    },
  };
  return counting;
}

describe("a published document", () => {
  it("is written once for all readers, including concurrent ones", async () => {
    const { builder, version, describeX } = createPress();
    const analysis = createCountingAnalysis("Found");
    builder.analysis = analysis;
    const hosts = ["a", "b", "c"].map((host) => ({ host, scheme: "https" }));
    await Promise.all(hosts.map((each) => builder.publish(version, each)));
    assert.equal(await describeX(), "Found");
    assert.equal(analysis.written, 1);
  });

  it("remains unchanged while the analysis cannot write it, and is retried", async () => {
    const { manager, builder, describeX } = createPress();
    builder.analysis = createCountingAnalysis("Before");
    assert.equal(await describeX(), "Before");
    const next = createCountingAnalysis("After");
    builder.analysis = next;
    next.isBroken = true;
    assert.equal(await describeX(), "Before");
    next.isBroken = false;
    assert.equal(await describeX(), "After");
    next.isBroken = true;
    manager.updateVersionConfig("v1", { title: "Another" });
    assert.equal(await describeX(), "After");
  });

  it("describes the routes if nothing else is known", async () => {
    const { builder, describeX } = createPress();
    const analysis = createCountingAnalysis("Never");
    analysis.isBroken = true;
    builder.analysis = analysis;
    assert.equal(await describeX(), undefined);
  });

  it("is available immediately without waiting", async () => {
    const { builder, version, describeX } = createPress();
    builder.analysis = createCountingAnalysis("Found");
    const now = () => builder.createNow(version, asker).paths["/x"]!.get!.description;
    assert.equal(now(), undefined);
    await describeX();
    assert.equal(now(), "Found");
  });
});
