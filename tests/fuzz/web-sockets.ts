import { createHash } from "node:crypto";
import type { Random } from "./random.ts";
import { mutate, text } from "./values.ts";

/** A WebSocket as one client uses it. */
export interface SocketSession {
  /** For a report. */
  readonly title: string;
  /** The handshake, and maybe the first frames. */
  readonly bytes: Buffer;
  /** Whether the handshake follows the protocol so far that the server owes it a response. */
  readonly isWellFormed: boolean;
  readonly frames: readonly Buffer[];
  readonly reads: boolean;
  /** Who closes the connection first. A server has to, if it sends a lot to a client that does not read. */
  readonly ends: "client" | "server";
}

/** Several sessions come from these addresses, so that the limit per address is reached. */
const sharedAddresses = ["203.0.113.7", "2001:db8::7", "2001:db8::8"] as const;

/** A client of a WebSocket, with a valid or a broken handshake, and frames that are mostly valid. */
export function createSocketSession(random: Random, pattern: string): SocketSession {
  const path = pattern.replace(/\{[^}]+\}/g, () => encodeURIComponent(text(random).toWellFormed()) || "x");
  const isBroken = random.chance(0.05);
  const head = createHandshake(random, path);
  const frames = random.several(0, 8, () => createFrame(random));
  if (random.chance(0.5)) frames.push(farewell);
  const early = random.chance(0.2) ? frames.splice(0, 2) : [];
  const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), ...early]);
  return {
    title: `WebSocket ${path.slice(0, 200)}`,
    bytes: isBroken ? mutate(random, bytes) : bytes,
    isWellFormed: !isBroken,
    frames: random.chance(0.1) ? frames.map((frame) => mutate(random, frame)) : frames,
    reads: random.chance(0.8),
    ends: "client",
  };
}

/** A client that opens a feed and does not read it, but pretends to be alive. */
export function createSlowSession(random: Random): SocketSession {
  return {
    title: "WebSocket /fuzz/feed without reading",
    bytes: Buffer.from(`${validHandshake("/fuzz/feed", ownAddress(random)).join("\r\n")}\r\n\r\n`),
    isWellFormed: true,
    frames: [],
    reads: false,
    ends: "server",
  };
}

/** The normal end. */
const farewell = encodeFrame({ opcode: 0x8, payload: Buffer.from([1000 >> 8, 1000 & 255]) });

/** An unsolicited pong. */
export const pong = encodeFrame({ opcode: 0xa, payload: Buffer.from([1, 2, 3]) });

function validHandshake(path: string, address: string): string[] {
  return [
    `GET ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${createHash("md5").update(path).digest("base64")}`,
    `X-Forwarded-For: ${address}`,
  ];
}

function ownAddress(random: Random): string {
  return `198.18.${random.below(256)}.${random.below(256)}`;
}

function createHandshake(random: Random, path: string): string[] {
  const address = random.chance(0.8) ? ownAddress(random) : random.pick(sharedAddresses);
  const lines = validHandshake(path, address);
  const changes = [
    () => lines.splice(1 + random.below(lines.length - 1), 1),
    () => lines.push(random.pick(lines.slice(1))),
    () => lines.push(`Sec-WebSocket-Version: ${random.pick(["8", "7", "99", "13, 8", ""])}`),
    () => lines.push(`Sec-WebSocket-Key: ${random.pick(["", "abc", "=".repeat(24), "a".repeat(5_000)])}`),
    () => lines.push(`Connection: ${random.pick(["keep-alive", "close", "upgrade, Upgrade", "X"])}`),
    () => lines.push(`Upgrade: ${random.pick(["h2c", "WEBSOCKET", "websocket/13", "TLS/1.0, websocket"])}`),
    () => lines.push(`Content-Length: ${random.pick(["0", "5", "-1"])}`, "Content-Type: text/plain"),
    () => lines.splice(0, 1, `${random.pick(["POST", "HEAD", "OPTIONS"])} ${path} HTTP/1.1`),
  ];
  if (random.chance(0.25)) random.pick(changes)();
  const extras = [
    () => `Origin: ${random.pick(["http://127.0.0.1", "http://evil.example", "null"])}`,
    () => `Sec-WebSocket-Protocol: ${random.pick(["chat", "a, b", "a b", ""])}`,
    () =>
      `Sec-WebSocket-Extensions: ${random.pick([
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits=99",
        `${"permessage-deflate, ".repeat(50)}x`,
        ";=,",
      ])}`,
    () => "Authorization: Bearer nonsense",
  ];
  return [...lines, ...random.several(0, 2, () => random.pick(extras)())];
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly isFinal?: boolean;
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** The declared length. Default: that of the payload. */
  readonly length?: bigint;
}

/** The default of `limits.bodyBytes`. */
export const maxMessage = 1_048_576;

const opcodes = [0x1, 0x1, 0x1, 0x2, 0x2, 0x8, 0x9, 0x9, 0xa] as const;
/** A continuation without a beginning, and opcodes without a meaning. */
const brokenOpcodes = [0x0, 0x3, 0xb, 0xf] as const;
const lengths = [0n, 125n, 126n, 65_536n, 2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n] as const;

function createFrame(random: Random): Buffer {
  const opcode = random.pick(random.chance(0.95) ? opcodes : brokenOpcodes);
  const payload = opcode === 0x8 ? closePayload(random) : anyPayload(random);
  return encodeFrame({
    opcode,
    payload,
    isFinal: random.chance(0.97),
    reserved: random.chance(0.03) ? random.below(8) : 0,
    isMasked: random.chance(0.97),
    ...(random.chance(0.03) && { length: random.pick(lengths) }),
  });
}

function anyPayload(random: Random): Buffer {
  const choices = [
    () => Buffer.from(text(random)),
    () => Buffer.from(random.several(0, 64, () => random.below(256))),
    () => Buffer.alloc(random.pick([0, 1, 125, 126, 65_535, 65_536])),
    // The first is larger than the limit for messages.
    () => Buffer.alloc(random.chance(0.1) ? maxMessage + 1 : 300_000, "x"),
  ];
  return random.pick(choices)();
}

function closePayload(random: Random): Buffer {
  const code = random.pick([1000, 1000, 1000, 1001, 1005, 1006, 1015, 2999, 3000, 4999, 0, 65_535]);
  const reason = random.chance(0.5) ? Buffer.from(text(random)).subarray(0, 130) : Buffer.alloc(0);
  const bytes = Buffer.concat([Buffer.from([code >> 8, code & 255]), reason]);
  return bytes.subarray(0, random.pick([bytes.length, bytes.length, 0, 1]));
}

/** The mask is zero, so that the payload is sent as it is. */
function encodeFrame({
  opcode,
  payload,
  isFinal = true,
  reserved = 0,
  isMasked = true,
  length,
}: Frame): Buffer {
  const declared = length ?? BigInt(payload.length);
  const mask = isMasked ? 0x80 : 0;
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const head = Buffer.alloc(declared < 126n ? 2 : declared < 65_536n ? 4 : 10);
  head[0] = first;
  if (declared < 126n) head[1] = mask | Number(declared);
  else if (declared < 65_536n) {
    head[1] = mask | 126;
    head.writeUInt16BE(Number(declared), 2);
  } else {
    head[1] = mask | 127;
    head.writeBigUInt64BE(declared, 2);
  }
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]);
}
