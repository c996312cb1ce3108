import type { Server } from "node:http";
import { join } from "node:path";
import type { App } from "../../../src/app/app.ts";
import { createAppWith } from "../../../src/app/application.ts";
import type { AppOptions } from "../../../src/app/config/options.ts";
import { features } from "../../../src/app/features.ts";
import { defineFeature, type Feature } from "../../../src/feature/index.ts";
import type { FailedRequest } from "../../../src/http/index.ts";
import type { Cleanup } from "../../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../../src/lib/testing/temporary-folder.ts";
import { until } from "../../../src/lib/testing/until.ts";
import { type Host, type HostKind, portOf, SlowRequests } from "./host.ts";

/** What Annex has recorded about a request. */
export interface Recorded {
  readonly traceId: string;
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly bytes: number;
  readonly contentType: string | undefined;
}

export interface RecordedError {
  readonly traceId: string;
  readonly route: string | undefined;
  readonly path: string;
  readonly error: unknown;
}

/** Everything that Annex reports to its features. */
export class Records {
  readonly requests: Recorded[] = [];
  readonly errors: RecordedError[] = [];
  /** Errors that the application reported, but that are no errors of the server. */
  readonly warnings: RecordedError[] = [];

  request(path: string): Promise<Recorded> {
    return until(`the record of ${path}`, () =>
      this.requests.find((each) => each.path === path),
    ) as Promise<Recorded>;
  }

  trace(traceId: string | null): Promise<Recorded> {
    return until(`the record of ${traceId}`, () =>
      this.requests.find((each) => each.traceId === traceId),
    ) as Promise<Recorded>;
  }

  get feature() {
    return defineFeature({
      name: "records",
      options: [],
      create: ({ events }) => {
        events.on(
          "request.finished",
          ({ traceId, method, path, route, statusCode, bytesSent, contentType }) =>
            this.requests.push({
              traceId,
              method,
              path,
              route: route?.pattern.text,
              status: statusCode,
              bytes: bytesSent,
              contentType,
            }),
        );
        const listTo =
          (list: RecordedError[]) =>
          ({ traceId, route, path, error }: FailedRequest) =>
            list.push({ traceId, route: route?.pattern.text, path, error });
        events.on("request.failed", listTo(this.errors));
        events.on("request.warned", listTo(this.warnings));
        return {};
      },
    });
  }
}

/** Annex in a folder of its own, with its log in a file there. It does not start. */
export function createAnnex(
  t: Cleanup,
  options: AppOptions = {},
  installed: readonly Feature[] = features,
): { annex: App; records: Records; dataDir: string } {
  const dataDir = createTemporaryFolder();
  const records = new Records();
  const annex = createAppWith([...installed, records.feature], {
    dataDir,
    signals: false,
    ...options,
    log: { destination: join(dataDir, "app.log"), ...options.log },
  });
  t.after(() => annex.stop());
  return { annex, records, dataDir };
}

/** Metrics and visitors need a thread, whose start takes most of the time of a short test. They serve `/api/health`. */
export const featuresWithoutThread: readonly Feature[] = features.filter(
  ({ name }) => name !== "metrics" && name !== "visitors",
);

/** The same without metrics and visitors, for tests that need only the records of requests. */
export function createSmallAnnex(t: Cleanup, options: AppOptions = {}): ReturnType<typeof createAnnex> {
  return createAnnex(t, options, featuresWithoutThread);
}

export interface Attached {
  readonly annex: App;
  readonly host: Host;
  readonly slow: SlowRequests;
  readonly records: Records;
  readonly server: Server;
  readonly port: number;
  readonly url: string;
}

/** An application of this kind with Annex attached, listening. `prepare` runs before Annex is attached. */
export async function attach(
  t: Cleanup,
  kind: HostKind,
  options: AppOptions = {},
  prepare: (annex: App, host: Host) => void = () => {},
): Promise<Attached> {
  const slow = new SlowRequests();
  const host = await kind.create(slow);
  const { annex, records } = createAnnex(t, options);
  prepare(annex, host);
  t.after(() => slow.release());
  t.after(() => host.close());
  await annex.attach(host.target, host.server && { server: host.server });
  const server = await host.listen();
  const port = portOf(server);
  return { annex, host, slow, records, server, port, url: `http://127.0.0.1:${port}` };
}
