import assert from "node:assert/strict";
import { parseTrustedProxies, plainAddress } from "./client-address.ts";
import { createListener } from "./testing/listener.ts";
import { test } from "./testing/test.ts";
import { get, Wire } from "./testing/wire.ts";

const plain: [address: string, result: string][] = [
  ["1.2.3.4", "1.2.3.4"],
  ["1.2.3.4:80", "1.2.3.4"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::FFFF:1.2.3.4", "1.2.3.4"],
  ["[::ffff:1.2.3.4]:80", "1.2.3.4"],
  ["::1", "::1"],
  ["[::1]:80", "::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
];

for (const [address, result] of plain) {
  test(`the address ${address} is written ${result}`, () => assert.equal(plainAddress(address), result));
}

for (const entry of [
  "",
  "nonsense",
  "10.0.0",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/8/9",
  "10.0.0.0/8.5",
  "10.0.0.0/0x8",
  "::1/129",
  "10.0.0.0/ 8",
]) {
  test(`${JSON.stringify(entry)} is refused as a trusted proxy, by name`, () => {
    assert.throws(() => parseTrustedProxies(["127.0.0.1", entry]), {
      message: `"${entry}" is neither an address nor a network such as 10.0.0.0/8`,
    });
  });
}

test("without trusted proxies there is nothing to ask", () => {
  assert.equal(parseTrustedProxies([]), undefined);
});

const rows: {
  name: string;
  trusted?: string[];
  socket?: string;
  forwarded?: string | string[];
  ip: string;
}[] = [
  { name: "the socket's", ip: "203.0.113.9", socket: "203.0.113.9" },
  { name: "the socket's, with no proxy configured", forwarded: "1.2.3.4", ip: "127.0.0.1" },
  {
    name: "the socket's, when it is not a trusted proxy",
    trusted: ["10.0.0.0/8"],
    forwarded: "1.2.3.4",
    ip: "127.0.0.1",
  },
  {
    name: "the forwarded one of a trusted proxy",
    trusted: ["127.0.0.1"],
    forwarded: "1.2.3.4",
    ip: "1.2.3.4",
  },
  {
    name: "the forwarded one of a trusted network",
    trusted: ["10.0.0.0/8"],
    socket: "10.9.8.7",
    forwarded: "1.2.3.4",
    ip: "1.2.3.4",
  },
  {
    name: "the last one, which the proxy added, and not earlier ones",
    trusted: ["127.0.0.1"],
    forwarded: "6.6.6.6, 1.2.3.4",
    ip: "1.2.3.4",
  },
  {
    name: "the one before a chain of trusted proxies",
    trusted: ["127.0.0.1", "10.0.0.0/8"],
    forwarded: "6.6.6.6, 1.2.3.4, 10.0.0.1, 10.0.0.2",
    ip: "1.2.3.4",
  },
  {
    name: "the first of a chain that is trusted throughout",
    trusted: ["127.0.0.1", "10.0.0.0/8"],
    forwarded: "10.0.0.1, 10.0.0.2",
    ip: "10.0.0.1",
  },
  {
    name: "one list out of several headers",
    trusted: ["127.0.0.1", "10.0.0.0/8"],
    forwarded: ["1.2.3.4", "10.0.0.1"],
    ip: "1.2.3.4",
  },
  {
    name: "the proxy's, if it forwards an invalid address",
    trusted: ["127.0.0.1"],
    forwarded: "unknown",
    ip: "127.0.0.1",
  },
  {
    name: "the last one that is an address",
    trusted: ["127.0.0.1", "10.0.0.1"],
    forwarded: "<script>, 10.0.0.1",
    ip: "10.0.0.1",
  },
  { name: "the proxy's, when the header is empty", trusted: ["127.0.0.1"], forwarded: "", ip: "127.0.0.1" },
  { name: "without its port", trusted: ["127.0.0.1"], forwarded: "1.2.3.4:5678", ip: "1.2.3.4" },
  {
    name: "an IPv6 one without brackets and port",
    trusted: ["127.0.0.1"],
    forwarded: "[2001:db8::7]:443",
    ip: "2001:db8::7",
  },
  { name: "an IPv4 one on an IPv6 socket, as IPv4", socket: "::ffff:203.0.113.9", ip: "203.0.113.9" },
  {
    name: "the forwarded one, when a trusted IPv4 proxy comes on an IPv6 socket",
    trusted: ["127.0.0.1"],
    socket: "::ffff:127.0.0.1",
    forwarded: "1.2.3.4",
    ip: "1.2.3.4",
  },
  {
    name: "the forwarded one of a trusted IPv6 network",
    trusted: ["fd00::/8"],
    socket: "fd12::1",
    forwarded: "1.2.3.4",
    ip: "1.2.3.4",
  },
];

for (const { name, trusted = [], socket, forwarded, ip } of rows) {
  test(`the client's address is ${name}`, async (t) => {
    const { inject, facts } = await createListener(
      t,
      (router) => router.get("/x", (e) => e.text(200, e.ip)),
      {
        trusted,
      },
    );
    const { body } = await inject({
      url: "/x",
      headers: forwarded === undefined ? {} : { "X-Forwarded-For": forwarded },
      ...(socket !== undefined && { remoteAddress: socket }),
    });
    assert.equal(body, ip);
    assert.equal((await facts.find()).ip, ip);
  });
}

test("requests of several clients over one connection of a proxy each have their own address", async (t) => {
  const { listen, facts } = await createListener(
    t,
    (router) => router.get("/{n}", (e) => e.text(200, e.ip)),
    {
      trusted: ["127.0.0.1"],
    },
  );
  const wire = await Wire.connect(t, await listen());
  const ask = async (path: string, ...headers: string[]) => {
    wire.request(get(path, "User-Agent: same", ...headers));
    return (await wire.response()).body;
  };
  assert.equal(await ask("/1", "X-Forwarded-For: 1.1.1.1"), "1.1.1.1");
  assert.equal(await ask("/2", "X-Forwarded-For: 2.2.2.2"), "2.2.2.2");
  // The proxy on its own behalf, such as a health check.
  assert.equal(await ask("/3"), "127.0.0.1");
  assert.equal(await ask("/4", "X-Forwarded-For: 1.1.1.1"), "1.1.1.1");
  assert.deepEqual(
    facts.items.map(({ ip }) => ip),
    ["1.1.1.1", "2.2.2.2", "127.0.0.1", "1.1.1.1"],
  );
});

const forwardingRows: {
  name: string;
  headers: Record<string, string>;
  trusted?: string[];
  reported?: string;
}[] = [
  { name: "X-Forwarded-For", headers: { "X-Forwarded-For": "1.2.3.4" }, reported: "X-Forwarded-For" },
  {
    name: "x-forwarded-host in lower case",
    headers: { "x-forwarded-host": "a.example" },
    reported: "X-Forwarded-Host",
  },
  { name: "Forwarded", headers: { forwarded: "for=1.2.3.4" }, reported: "Forwarded" },
  {
    name: "X-Forwarded-For from a peer outside the trusted network",
    headers: { "X-Forwarded-For": "1.2.3.4" },
    trusted: ["10.0.0.0/8"],
    reported: "X-Forwarded-For",
  },
  {
    name: "X-Forwarded-For from a trusted proxy",
    headers: { "X-Forwarded-For": "1.2.3.4" },
    trusted: ["127.0.0.1"],
  },
  {
    name: "no such header",
    headers: { "accept-encoding": "gzip", "x-forwarded-fox": "1", "sec-ch-ua": "x" },
  },
];

for (const { name, headers, trusted = [], reported } of forwardingRows) {
  test(`a request with ${name} ${reported ? "is reported once" : "is not reported"}`, async (t) => {
    const seen: object[] = [];
    const { inject } = await createListener(
      t,
      (router, { observer }) => {
        observer.onUntrustedForwarding((forwarding) => seen.push(forwarding));
        router.get("/x", (e) => e.noContent());
      },
      { trusted },
    );
    await inject({ url: "/x", headers });
    await inject({ url: "/x", headers });
    assert.deepEqual(seen, reported ? [{ peer: "127.0.0.1", header: reported }] : []);
  });
}

test("untrusted proxies are reported once for each of the first five peers", async (t) => {
  const peers: string[] = [];
  const { inject } = await createListener(t, (router, { observer }) => {
    observer.onUntrustedForwarding(({ peer }) => peers.push(peer));
    router.get("/x", (e) => e.noContent());
  });
  for (let round = 0; round < 2; round++) {
    for (let host = 1; host <= 9; host++) {
      const remoteAddress = `192.0.2.${host}`;
      await inject({ url: "/x", headers: { "x-forwarded-for": "1.2.3.4" }, remoteAddress });
    }
  }
  assert.deepEqual(peers, ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"]);
});
