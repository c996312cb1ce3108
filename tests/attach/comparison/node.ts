import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { chunks } from "../hosts/host.ts";
import {
  type Application,
  type ComparedKind,
  describeFailure,
  endlessSource,
  onServer,
  readJson,
  type Setup,
  watch,
} from "./application.ts";
import { describeError, fail } from "./failures.ts";
import { createLibraries, createUpload, describeUpload, runLibrary } from "./libraries.ts";
import { responses } from "./responses.ts";
import { type Download, failureOf, type NativeName } from "./scenarios.ts";

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

const natives: Record<NativeName, (response: ServerResponse) => unknown> = {
  json: (response) => sendJson(response, 200, { hello: "world" }),
  text: (response) => response.setHeader("Content-Type", "text/plain").end("hello"),
  buffer: (response) => response.end(Buffer.from("hello")),
  empty: (response) => response.writeHead(204).end(),
  stream: (response) => Readable.from(chunks()).pipe(response),
  html: (response) => response.writeHead(202, "Taken", { "content-type": "text/html" }).end("<p>hello</p>"),
  redirect: (response) => response.writeHead(302, { Location: "/elsewhere" }).end(),
  missing: (response) => sendJson(response, 404, {}),
  cookie: (response) => response.writeHead(200, [["Set-Cookie", "a=1"]] as never).end(),
};

function sendDownload(download: Download, response: ServerResponse, note: Setup["note"]): void {
  if (download === "pipe") endlessSource().pipe(response);
  else pipeline(endlessSource(), response, (error) => note(`pipeline ${describeError(error)}`));
}

/** Handles a request as the framework of a small application would. */
function createHandler({ note }: Setup) {
  const upload = createUpload();
  return (request: IncomingMessage, response: ServerResponse): unknown => {
    const [, area, first = "", second = "", third = ""] = (request.url ?? "").split(/[/?]/);
    const pass = (error: unknown) => response.destroy(error as Error);
    switch (area) {
      case "native":
        return first === "never" ? undefined : natives[first as NativeName]?.(response);
      case "respond":
        return Object.values(responses)[Number(first)]!(response);
      case "fail": {
        const send = (body: Readable) => body.on("error", pass).pipe(response);
        return fail(failureOf(first, second, third), { response, pass, send, note });
      }
      case "echo":
        return readJson(request).then((body) => sendJson(response, 201, body));
      case "upload":
        return runLibrary(upload, request, response).then(() =>
          sendJson(response, 200, describeUpload(request)),
        );
      case "download":
        return sendDownload(first as Download, response, note);
      default:
        return sendJson(response, 404, {});
    }
  };
}

function create(setup: Setup): Application {
  const { isFull, note } = setup;
  const libraries = createLibraries();
  const handle = createHandler(setup);
  const server = createServer(async (request, response) => {
    if (request.url === "/ok") return void response.end("ok");
    watch(response, note);
    if (!isFull) return void handle(request, response);
    try {
      await runLibrary(libraries, request, response);
      await handle(request, response);
    } catch (error) {
      note(`handled ${describeError(error)}`);
      const { status, body } = describeFailure(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, status, body);
    }
  });
  return onServer(server, server);
}

export const nodeKind: ComparedKind = { create, observesServer: true };
