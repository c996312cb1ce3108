import { StartError } from "../../lib/errors/start-error.ts";

/** Converts an error of `server.listen` to one that says what to do. */
export function explainListenError(cause: unknown, host: string, port: number): unknown {
  switch (codeOf(cause)) {
    case "EADDRINUSE":
      return new StartError(
        "PORT_IN_USE",
        `Port ${port} on ${host} is in use by another program. Stop that program, or choose another port with SVC_PORT or the option "port".`,
        { cause },
      );
    case "EACCES":
      return new StartError(
        "ADDRESS_UNAVAILABLE",
        `No permission to open port ${port} on ${host}. Choose a port above 1023 with SVC_PORT or the option "port".`,
        { cause },
      );
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartError(
        "ADDRESS_UNAVAILABLE",
        `The address "${host}" does not belong to this machine. Change SVC_HOST or the option "host".`,
        { cause },
      );
    default:
      return cause;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
