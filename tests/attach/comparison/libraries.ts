/** Libraries that applications of any framework use, because they need only Node's request and response. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import compression from "compression";
import session from "express-session";
import helmet from "helmet";
import multer from "multer";
import { Server as SocketServer } from "socket.io";

type Next = (error?: unknown) => void;
export type Connect = (request: IncomingMessage, response: ServerResponse, next: Next) => void;

/** helmet, compression and sessions, one after the other. */
export function createLibraries(): Connect {
  const sessions = session({
    secret: "secret",
    resave: false,
    saveUninitialized: true,
    // The same in both applications.
    genid: ({ url }) => `session-of-${url}`,
  });
  const chain = [helmet(), compression({ threshold: 0 }), sessions] as unknown as Connect[];
  return (request, response, next) => {
    const run = (index: number) => {
      const library = chain[index];
      if (library === undefined) return next();
      library(request, response, (error) => (error ? next(error) : run(index + 1)));
    };
    run(0);
  };
}

/** Reads a file in the field `file`, of at most 100 bytes. */
export function createUpload(): Connect {
  return multer({ limits: { fileSize: 100 } }).single("file") as unknown as Connect;
}

/** What an upload has received. */
export function describeUpload(request: IncomingMessage): object {
  const { originalname, size } = (request as { file?: { originalname: string; size: number } }).file ?? {};
  return { originalname, size };
}

/** A library as a promise. */
export function runLibrary(
  library: Connect,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    library(request, response, (error) => (error ? reject(error) : resolve()));
  });
}

/** Adds socket.io to a server. The IDs of its sessions are the same in both applications. */
export function addSocketServer(server: Server): SocketServer {
  const sockets = new SocketServer(server);
  let sessions = 0;
  Object.assign(sockets.engine, { generateId: () => `session-${++sessions}` });
  return sockets;
}
