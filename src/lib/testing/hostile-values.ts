import { Socket } from "node:net";
import { Readable } from "node:stream";
import { runInNewContext } from "node:vm";

/** Values that are hard to print. Each call creates a new one, because some can be used only once. */
export const hostileValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  "a symbol": () => Symbol("hostile"),
  "a bigint": () => 2n ** 70n,
  "a string of four million characters": () => "x".repeat(4_000_000),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a revoked proxy of a function": () => {
    const { proxy, revoke } = Proxy.revocable(() => {}, {});
    revoke();
    return proxy;
  },
  "an error in a proxy whose traps throw": () =>
    new Proxy(
      new Error("inside"),
      Object.fromEntries(
        ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"].map((trap) => [trap, refuse]),
      ),
    ),
  "an object with throwing getters": () =>
    Object.defineProperty({}, "value", { enumerable: true, get: refuse }),
  "an object whose conversions throw": () => ({
    toString: refuse,
    toJSON: refuse,
    [Symbol.toPrimitive]: refuse,
  }),
  "an object without a prototype": () => Object.assign(Object.create(null), { a: 1 }),
  "a circular object": () => {
    const circle: Record<string, unknown> = { name: "circle" };
    circle.self = circle;
    return circle;
  },
  "a wide and deep object": () => {
    let level: unknown[] = [1];
    for (let depth = 0; depth < 8; depth++) level = Array.from({ length: 200 }, () => level);
    return level;
  },
  "a proxy with ten million keys": () =>
    new Proxy(
      {},
      { ownKeys: () => Array.from({ length: 10_000_000 }, (_, index) => `key${index}`), get: () => 1 },
    ),
  "an error that is its own cause": () => {
    const error: Error & { cause?: unknown } = new Error("circular");
    error.cause = error;
    return error;
  },
  "a chain of ten thousand causes": () => {
    let error = new Error("innermost");
    for (let depth = 0; depth < 10_000; depth++) error = new Error(`level ${depth}`, { cause: error });
    return error;
  },
  "causes without an end": () => endless(0),
  "an error of a thousand errors": () =>
    new AggregateError(
      Array.from({ length: 1_000 }, (_, index) => new Error(`part ${index}`)),
      "many",
    ),
  "an error with a stack that throws": () => Object.defineProperty(new Error("x"), "stack", { get: refuse }),
  "an error with a message that throws": () =>
    Object.defineProperty(new Error("x"), "message", { get: refuse }),
  "an error with a message that is not text": () =>
    Object.assign(new Error("x"), { message: { toString: refuse } }),
  "an error with a huge message": () => new Error("x".repeat(4_000_000)),
  "a frozen error": () => Object.freeze(new Error("frozen")),
  "an error of another realm": () => runInNewContext("new TypeError('elsewhere')"),
  "an invalid date": () => ({ at: new Date(Number.NaN) }),
  "typed arrays": () => ({ floats: new Float64Array(1_000), view: new DataView(new ArrayBuffer(8)) }),
  "a stream and a socket": () => ({ stream: Readable.from(["x"]), socket: new Socket() }),
  "an object with a custom inspection that throws": () => ({
    [Symbol.for("nodejs.util.inspect.custom")]: refuse,
  }),
};

function refuse(): never {
  throw new Error("This value refuses to be read.");
}

function endless(depth: number): Error {
  return Object.defineProperty(new Error(`depth ${depth}`), "cause", { get: () => endless(depth + 1) });
}
