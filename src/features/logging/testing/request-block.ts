import { Client, type FinishedRequest } from "../../../http/index.ts";
import { createTraceId } from "../../../lib/ids.ts";
import { type Block, Sink } from "../output/sink.ts";
import { createRequestRecord } from "../request-record.ts";

export interface TestRequest
  extends Partial<Pick<FinishedRequest, "traceId" | "method" | "path" | "statusCode" | "durationMs">> {
  userAgent?: string;
}

/** A block of request records as written by a server, all with the current time. */
export async function createRequestBlock(...requests: TestRequest[]): Promise<Block> {
  let block: Block | undefined;
  const sink = new Sink({
    destination: {
      write: (_bytes, release) => release(),
      writeSync() {},
      flush: async () => {},
      close: async () => {},
    },
  });
  sink.onBlock = (given) => {
    block = { ...given, bytes: Buffer.from(given.bytes) };
  };
  const write = createRequestRecord(sink);
  for (const request of requests) write(finish(request));
  await sink.flush();
  return block!;
}

function finish({ userAgent = "curl/8", ...request }: TestRequest): FinishedRequest {
  return {
    traceId: createTraceId(),
    method: "GET",
    path: "/",
    statusCode: 200,
    durationMs: 1,
    client: new Client("127.0.0.1", userAgent),
    contentLength: 0,
    ...request,
  } as FinishedRequest;
}
