import { once } from "node:events";
import { connect, type Socket } from "node:net";

const connections = 16;
/** Requests that are sent together, before the responses to them have come. */
const together = 25;

export interface Strangers {
  readonly port: number;
  readonly count: number;
  /** How many different ones there are. */
  readonly distinct: number;
}

/** Sends so many requests, each from another address, with another agent, for another path. */
export async function sendStrangers({ port, count, distinct }: Strangers): Promise<void> {
  let next = 0;
  const take = () => {
    const numbers = Array.from({ length: Math.min(together, count - next) }, (_, index) => next + index);
    next += numbers.length;
    return numbers.map((number) => number % distinct);
  };
  await Promise.all(Array.from({ length: connections }, () => sendBatches(connect(port, "127.0.0.1"), take)));
}

async function sendBatches(socket: Socket, take: () => number[]): Promise<void> {
  await once(socket, "connect");
  let waiting = 0;
  let wake = () => {};
  socket.on("data", (bytes) => {
    // Every response has one status line, and no body has one.
    for (let at = bytes.indexOf("HTTP/1.1 "); at !== -1; at = bytes.indexOf("HTTP/1.1 ", at + 9)) waiting--;
    if (waiting <= 0) wake();
  });
  for (let numbers = take(); numbers.length > 0; numbers = take()) {
    waiting += numbers.length;
    const received = new Promise<void>((resolve) => {
      wake = resolve;
    });
    socket.write(numbers.map(requestOf).join(""));
    await received;
  }
  socket.destroy();
}

function requestOf(number: number): string {
  const path = number % 2 === 0 ? `/pages/${number}` : `/nothing/${number}/at/all`;
  const address = [10, number >>> 16, (number >>> 8) & 255, number & 255].join(".");
  return [
    `GET ${path} HTTP/1.1`,
    "Host: shop.example.com",
    `User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:${number}.0) Gecko/20100101 Firefox/${number}.0`,
    `X-Forwarded-For: ${address}`,
    "Accept: text/html",
    `Referer: https://${number}.example.net/some/page`,
    "\r\n",
  ].join("\r\n");
}
