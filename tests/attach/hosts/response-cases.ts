import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Notes what the application sees: results, errors and events. */
export type Note = (...seen: unknown[]) => void;

export interface ResponseCase {
  respond(response: ServerResponse, note: Note, request: IncomingMessage): unknown;
  readonly method?: string;
  readonly headers?: readonly string[];
}

/** Calls a function that may throw, and notes the error as the application sees it. */
function attempt(note: Note, run: () => unknown): void {
  try {
    note("returned", typeof run());
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException;
    note(name, code, message);
  }
}

function refuse(): never {
  throw new Error("refused by the application");
}

/** What is passed to `writeHead`, before a body. */
function head(...args: unknown[]): ResponseCase {
  return {
    respond(response, note) {
      attempt(note, () => Reflect.apply(response.writeHead, response, args));
      note(response.statusCode, response.statusMessage, response.headersSent);
      response.end("body");
    },
  };
}

/** The same after a header was set. */
function headAfterHeader(...args: unknown[]): ResponseCase {
  return {
    respond(response, note, request) {
      response.setHeader("X-Set", "set");
      response.setHeader("X-Both", "set");
      return head(...args).respond(response, note, request);
    },
  };
}

const bothForms: Record<string, unknown[]> = {
  "no headers": [200],
  "undefined headers": [200, undefined],
  "null headers": [200, null],
  "headers after undefined": [200, undefined, { "X-Own": "1" }],
  "headers after null": [200, null, { "X-Own": "1" }],
  "two objects": [200, { "X-First": "1" }, { "X-Second": "2" }],
  "a status message": [200, "Fine"],
  "an empty status message": [200, "", { "X-Own": "1" }],
  "a status message and headers": [201, "Made", { "X-Own": "1", "X-Both": "given" }],
  "a status message and null": [201, "Made", null],
  "frozen headers": [200, Object.freeze({ "X-Own": "1", "Content-Type": "text/plain" })],
  "headers without a prototype": [200, Object.assign(Object.create(null), { "X-Own": "1" })],
  "inherited headers": [200, Object.create({ "X-Inherited": "1" })],
  "a map": [200, new Map([["X-Own", "1"]])],
  "a number, a list and an empty value": [200, { "X-Number": 7, "X-List": ["a", "b"], "X-Empty": "" }],
  "several cookies": [200, { "Set-Cookie": ["a=1", "b=2"] }],
  "an own trace ID": [200, { "x-trace-id": "own", "X-Both": "given" }],
  "a flat list": [200, ["X-Own", "1", "X-Both", "given"]],
  "a flat list with a name twice": [200, ["X-Own", "1", "x-own", "2", "X-Own", "3"]],
  "a flat list with an own trace ID": [200, ["X-Trace-ID", "own", "X-Own", "1"]],
  "a flat list of odd length": [200, ["X-Own", "1", "X-Odd"]],
  "an empty list": [200, []],
  "one pair": [200, [["X-Own", "1"]]],
  "two pairs": [
    200,
    [
      ["X-Own", "1"],
      ["X-Both", "given"],
    ],
  ],
  "a pair with a list": [200, [["X-Own", ["a", "b"]]]],
  "a pair of odd length": [200, [["X-Own"]]],
  "a status of 99": [99, { "X-Own": "1" }],
  "a status as text": ["201", { "X-Own": "1" }],
  "an invalid name": [200, { "X Own": "1" }],
  "an invalid value": [200, { "X-Own": "a\nb" }],
  "an undefined value": [200, { "X-Own": undefined }],
  "an invalid status message": [200, "a\nb"],
  "a content type that cannot be read": [200, { "Content-Type": { toString: refuse } }],
  "a symbol as content type": [200, ["Content-Type", Symbol("type")]],
  "a getter": [
    200,
    {
      get "X-Own"() {
        return "1";
      },
    },
  ],
  "a getter that throws": [
    200,
    {
      get "X-Own"() {
        return refuse();
      },
    },
  ],
  "text as headers": [200, "Fine", "X-Own"],
  "a connection header": [200, { Connection: "close", "X-Own": "1" }],
};

/** Every way to call `writeHead`, with and without earlier headers. */
const heads = Object.entries(bothForms).flatMap(([name, args]): [string, ResponseCase][] => [
  [`writeHead with ${name}`, head(...args)],
  [`writeHead with ${name}, after setHeader`, headAfterHeader(...args)],
]);

const others: Record<string, ResponseCase> = {
  "end twice": {
    respond(response, note) {
      response.on("error", ({ message }) => note(message));
      note(response.end("a") === response);
      response.end("b", (error?: Error) => note((error as NodeJS.ErrnoException | undefined)?.code));
    },
  },
  "write after end": {
    respond(response, note) {
      response.on("error", ({ name, message }) => note(name, message));
      response.end("a");
      attempt(note, () => response.write("b"));
    },
  },
  "writeHead twice": {
    respond(response, note) {
      note(response.writeHead(201, { "X-Own": "1" }) === response);
      attempt(note, () => response.writeHead(202));
      response.end("a");
      attempt(note, () => response.writeHead(202));
    },
  },
  "setHeader after writeHead": {
    respond(response, note) {
      response.writeHead(201);
      attempt(note, () => response.setHeader("X-Late", "1"));
      response.end();
    },
  },
  "a status message as property": {
    respond(response) {
      response.statusCode = 418;
      response.statusMessage = "Short and stout";
      response.end("tea");
    },
  },
  "chunks that are refused": {
    respond(response, note) {
      attempt(note, () => response.write(5 as never));
      attempt(note, () => response.write(null as never));
      attempt(note, () => response.end({} as never));
      attempt(note, () => response.write("a", Symbol("encoding") as never));
      response.end("a");
    },
  },
  "encodings and callbacks": {
    respond(response, note) {
      note(response.write("é", "latin1"));
      response.write("YQ==", "base64", () => note("written"));
      response.write("x", () => note("written, too"));
      response.write(new Uint8Array([104, 105]));
      response.end("6869", "hex", () => note("ended"));
    },
  },
  "end with only a callback": {
    respond(response, note) {
      response.end(() => note("ended"));
    },
  },
  "early hints and processing": {
    respond(response, note) {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => note("hinted"));
      response.writeProcessing();
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end("a");
    },
  },
  "flushHeaders first": {
    respond(response, note) {
      response.setHeader("X-Own", "1");
      response.flushHeaders();
      note(response.headersSent);
      attempt(note, () => response.writeHead(201));
      response.write("a");
      response.end("b");
    },
  },
  trailers: {
    respond(response) {
      response.writeHead(200, { Trailer: "X-Sum" });
      response.write("a");
      response.addTrailers({ "X-Sum": "1" });
      response.end();
    },
  },
  "204 with a body": {
    respond(response) {
      response.writeHead(204);
      response.end("body");
    },
  },
  "304 with a body": {
    respond(response) {
      response.statusCode = 304;
      response.setHeader("ETag", '"a"');
      response.end("body");
    },
  },
  "HEAD with a body": {
    method: "HEAD",
    respond(response) {
      response.setHeader("Content-Length", 4);
      response.end("body");
    },
  },
  "a wrapper": {
    respond(response, note) {
      const wrapper = Object.create(response) as ServerResponse;
      note(wrapper.writeHead(201, { "X-Own": "1" }) === wrapper);
      // Node sends nothing through it, because the connection belongs to the response.
      response.end("b");
    },
  },
  "functions of the prototype": {
    respond(response) {
      const { prototype } = ServerResponse;
      Reflect.apply(prototype.writeHead, response, [203, { "X-Own": "1" }]);
      Reflect.apply(prototype.write, response, ["a"]);
      Reflect.apply(prototype.end, response, ["b"]);
    },
  },
  "functions that were replaced": {
    respond(response) {
      const { writeHead, end } = response;
      response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
        this.setHeader("X-Wrapped", "1");
        return Reflect.apply(writeHead, this, args);
      } as ServerResponse["writeHead"];
      response.end = ((...args: unknown[]) => Reflect.apply(end, response, args)) as ServerResponse["end"];
      response.setHeader("X-Own", "1");
      response.end("a");
    },
  },
  "a getHeader that throws": {
    respond(response, note) {
      response.setHeader("Content-Type", "text/plain");
      response.getHeader = refuse;
      attempt(note, () => response.end("a"));
    },
  },
  "functions for headers that throw": {
    respond(response, note) {
      response.setHeader("Content-Type", "text/plain");
      Object.assign(response, { getHeader: refuse, getHeaderNames: refuse, setHeader: refuse });
      attempt(note, () => response.end("a"));
    },
  },
  "functions for headers that throw, without headers": {
    respond(response, note) {
      Object.assign(response, { getHeader: refuse, getHeaderNames: refuse, setHeader: refuse });
      attempt(note, () => response.writeHead(200, { "X-Own": "1" }));
      attempt(note, () => response.end("a"));
    },
  },
  "headers of a content length that is not kept": {
    respond(response, note) {
      response.strictContentLength = true;
      response.writeHead(200, { "Content-Length": 3 });
      attempt(note, () => response.end("too long"));
      response.destroy();
    },
  },
  "no listeners for the end of the response": {
    respond(response) {
      response.removeAllListeners("close");
      response.end("a");
    },
  },
  "destroyed before the head": {
    respond(response, note) {
      response.on("close", () => note("closed", response.writableEnded));
      response.destroy();
      attempt(note, () => response.end("late"));
    },
  },
  "destroyed with an error, within the body": {
    respond(response, note) {
      response.on("error", ({ message }) => note("error", message));
      response.on("close", () => note("closed"));
      response.writeHead(200, { "Content-Length": 10 });
      response.write("half");
      response.destroy(new Error("enough"));
    },
  },
  "the connection destroyed": {
    respond(_response, _note, request) {
      request.socket.destroy();
    },
  },
  "raw bytes on the connection": {
    respond(_response, _note, { socket }) {
      socket.end("HTTP/1.1 200 Raw\r\nContent-Length: 2\r\n\r\nhi");
    },
  },
  "a detached connection": {
    respond(response, _note, { socket }) {
      response.detachSocket(socket);
      socket.end("HTTP/1.1 200 Raw\r\nContent-Length: 2\r\n\r\nhi");
    },
  },
  "a body that the client announces": {
    method: "POST",
    headers: ["Expect: 100-continue", "Content-Length: 0"],
    respond(response) {
      response.end("a");
    },
  },
  "all headers that were set": {
    respond(response, note) {
      response.setHeader("X-Own", ["1", "2"]);
      response.appendHeader("X-Own", "3");
      response.setHeaders(new Headers({ "X-More": "1" }));
      response.removeHeader("X-More");
      note(response.getHeaders() as OutgoingHttpHeaders, response.hasHeader("a"));
      response.end("a");
    },
  },
};

export const responseCases = new Map<string, ResponseCase>([...heads, ...Object.entries(others)]);
