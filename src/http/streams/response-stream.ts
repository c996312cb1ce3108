import { finished, type Readable, type Writable } from "node:stream";
import { isEventStream } from "../../lib/event-stream-type.ts";
import type { Compression } from "../compression/compression.ts";
import type { ObservedResponse } from "../observation/observed-response.ts";
import type { Shutdown } from "./shutdown.ts";

/** A request whose response is a stream. */
export interface StreamedRequest {
  readonly method: string;
  readonly response: ObservedResponse;
  readonly compression: Compression | undefined;
}

export interface ResponseStream {
  readonly status: number;
  readonly type: string;
  readonly body: Readable;
  readonly shutdown: Shutdown;
  /** Called with an error of the stream or of the response's head. */
  readonly fail: (error: unknown) => void;
}

/** Sends the head of the response with the first bytes of the stream, and then the stream. */
export function sendStream(
  request: StreamedRequest,
  { status, type, body, shutdown, fail }: ResponseStream,
): void {
  const { response } = request;
  let target: Writable = response;
  const start = () => {
    try {
      const encoding = request.compression?.chooseForStream(response, status, type);
      response.writeHead(status, { "Content-Type": type });
      if (request.method === "HEAD") response.end();
      else if (encoding) target = request.compression!.pipe(body, encoding, response, fail);
      else if (body.readableEnded) response.end();
      else body.pipe(response);
    } catch (error) {
      fail(error);
    }
  };
  const end = () => {
    if (!response.headersSent) start();
    body.unpipe(target);
    target.end();
    body.destroy();
  };
  shutdown.addStream(response, isEventStream(type) ? { end } : {});
  body.once("readable", start);
  response.once("close", () => body.destroy());
  finished(body, { writable: false }, (error) => {
    if (response.destroyed || target.writableEnded) return;
    if (error) fail(error);
    else if (!response.headersSent) start();
  });
}
