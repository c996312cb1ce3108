import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";

/** The socket of a connection, which the types of pg do not declare. */
interface Connected {
  readonly connection: { readonly stream: { readonly bytesRead: number } };
}

/** Turns of the event loop after which a socket has been read. The first one may end before that. */
const turns = 2;
/** A timer that fires this late was held up by a blocked event loop. */
const lateMs = 500;

/** The server did not respond to a query in time. */
export class ResponseTimeout extends Error {
  override readonly name = "ResponseTimeout";

  constructor(timeoutMs: number) {
    super(`The server did not respond to the query within ${timeoutMs} ms.`);
  }
}

/**
 * Rejects if the server sends nothing for this long. Unlike `query_timeout` of pg, it reads what has arrived first:
 * after a blocked event loop or a suspended process, timers fire before sockets are read.
 */
export async function limitResponse<R>(
  client: pg.ClientBase,
  timeoutMs: number | undefined,
  send: () => Promise<R>,
): Promise<R> {
  if (timeoutMs === undefined) return send();
  const { stream } = (client as unknown as Connected).connection;
  const { promise: isSilent, reject } = Promise.withResolvers<never>();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  function startTimer(limitMs: number): void {
    const before = stream.bytesRead;
    timer = setTimeout(async () => {
      for (let turn = 0; turn < turns; turn++) await nextTurn();
      if (isOver) return;
      // A large response takes longer to read than a few turns.
      if (stream.bytesRead !== before) startTimer(limitMs);
      else reject(new ResponseTimeout(limitMs));
    }, limitMs);
  }
  startTimer(timeoutMs);
  try {
    return await Promise.race([send(), isSilent]);
  } finally {
    isOver = true;
    clearTimeout(timer);
  }
}

/**
 * Connects once more if the time ran out while the event loop was blocked, because pg has not read the response of the
 * server then.
 */
export async function connectAfterBlock<C>(
  timeoutMs: number | undefined,
  connect: () => Promise<C>,
): Promise<C> {
  const begin = performance.now();
  try {
    return await connect();
  } catch (error) {
    if (!timeoutMs || performance.now() - begin < timeoutMs + lateMs) throw error;
    return connect();
  }
}
