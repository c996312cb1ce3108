import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, it } from "node:test";
import { createNetwork, maximumInterfaces } from "./network.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";

type Bytes = readonly [inward: number, outward: number];

/** /proc/net/dev with the given interfaces. */
function netDev(interfaces: Readonly<Record<string, Bytes>>): string {
  const lines = Object.entries(interfaces).map(
    ([name, [inward, outward]]) =>
      `${name.padStart(6)}: ${inward} 11 12 13 14 15 16 17 ${outward} 21 22 23 24 25 26 27\n`,
  );
  return `Inter-|   Receive  |  Transmit\n face |bytes packets|bytes packets\n${lines.join("")}`;
}

const flags = {
  "sys/class/net/lo/flags": "0x9\n",
  "sys/class/net/eth0/flags": "0x1003\n",
  "sys/class/net/wlan0/flags": "0x1003\n",
};

describe("network traffic", () => {
  it("is reported per second, for each interface and in total without loopback", (t) => {
    const machine = createFakeMachine(t, {
      ...flags,
      "proc/net/dev": netDev({ lo: [0, 0], eth0: [1_000, 2_000], wlan0: [0, 0] }),
    });
    const network = createNetwork(machine.root);
    assert.deepEqual(valuesOf(network, 5_000), {});
    machine.write({ "proc/net/dev": netDev({ lo: [80, 80], eth0: [1_500, 2_100], wlan0: [30, 0] }) });
    assert.deepEqual(valuesOf(network, 7_000), {
      "network.lo.in_bytes_per_second": 40,
      "network.lo.out_bytes_per_second": 40,
      "network.eth0.in_bytes_per_second": 250,
      "network.eth0.out_bytes_per_second": 50,
      "network.wlan0.in_bytes_per_second": 15,
      "network.wlan0.out_bytes_per_second": 0,
      "network.in_bytes_per_second": 265,
      "network.out_bytes_per_second": 50,
    });
  });

  it("knows a loopback by its flag, whatever it is called", (t) => {
    const machine = createFakeMachine(t, {
      "sys/class/net/lo/flags": "0x1003\n",
      "sys/class/net/dummy/flags": "0x49\n",
      "proc/net/dev": netDev({ lo: [0, 0], dummy: [0, 0] }),
    });
    const network = createNetwork(machine.root);
    valuesOf(network, 0);
    machine.write({ "proc/net/dev": netDev({ lo: [10, 20], dummy: [500, 500] }) });
    const values = valuesOf(network, 1_000);
    assert.equal(values["network.in_bytes_per_second"], 10);
    assert.equal(values["network.out_bytes_per_second"], 20);
    assert.equal(values["network.dummy.in_bytes_per_second"], 500);
  });

  it("uses Node's data if flags cannot be read", (t) => {
    const known = Object.entries(networkInterfaces()).find(([, addresses]) =>
      addresses!.some(({ internal }) => internal),
    );
    assert.ok(known, "this machine has a loopback interface");
    const machine = createFakeMachine(t, { "proc/net/dev": netDev({ [known[0]]: [0, 0], made0: [0, 0] }) });
    const network = createNetwork(machine.root);
    valuesOf(network, 0);
    machine.write({ "proc/net/dev": netDev({ [known[0]]: [500, 500], made0: [1, 2] }) });
    assert.equal(valuesOf(network, 1_000)["network.in_bytes_per_second"], 1);
  });

  it("of a new interface starts with its second sample and ends when it is removed", (t) => {
    const machine = createFakeMachine(t, { ...flags, "proc/net/dev": netDev({ eth0: [0, 0] }) });
    const network = createNetwork(machine.root);
    valuesOf(network, 0);
    machine.write({ "proc/net/dev": netDev({ eth0: [1, 1], wlan0: [900, 900] }) });
    const come = valuesOf(network, 1_000);
    assert.ok(!("network.wlan0.in_bytes_per_second" in come));
    assert.equal(come["network.in_bytes_per_second"], 1);
    machine.write({ "proc/net/dev": netDev({ wlan0: [904, 900] }) });
    assert.deepEqual(valuesOf(network, 2_000), {
      "network.wlan0.in_bytes_per_second": 4,
      "network.wlan0.out_bytes_per_second": 0,
      "network.in_bytes_per_second": 4,
      "network.out_bytes_per_second": 0,
    });
  });

  it("is absent after a counter reset", (t) => {
    const machine = createFakeMachine(t, {
      ...flags,
      "proc/net/dev": netDev({ eth0: [500, 500], wlan0: [0, 0] }),
    });
    const network = createNetwork(machine.root);
    valuesOf(network, 0);
    machine.write({ "proc/net/dev": netDev({ eth0: [3, 700], wlan0: [7, 0] }) });
    const values = valuesOf(network, 1_000);
    assert.ok(!("network.eth0.in_bytes_per_second" in values));
    assert.equal(values["network.eth0.out_bytes_per_second"], 200);
    assert.equal(values["network.in_bytes_per_second"], 7);
    machine.write({ "proc/net/dev": netDev({ eth0: [8, 700], wlan0: [7, 0] }) });
    assert.equal(valuesOf(network, 2_000)["network.eth0.in_bytes_per_second"], 5);
  });

  it("is shown for a limited number of interfaces, and summed over all", (t) => {
    const many = (bytes: number) =>
      netDev(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`veth${index}`, [bytes, bytes]])));
    const machine = createFakeMachine(t, { "proc/net/dev": many(0) });
    const network = createNetwork(machine.root);
    valuesOf(network, 0);
    machine.write({ "proc/net/dev": many(10) });
    const values = valuesOf(network, 1_000);
    assert.equal(Object.keys(values).length, 2 * maximumInterfaces + 2);
    assert.equal(values["network.out_bytes_per_second"], 1_000);
  });

  it("is absent without a file, with a garbled one, and when no time has passed", (t) => {
    const machine = createFakeMachine(t);
    const network = createNetwork(machine.root);
    for (const text of [
      "",
      "a\nb\nno colon 5\n eth0: many\n:::\n",
      netDev({ eth0: [1, 1] }),
      netDev({ eth0: [2, 2] }),
    ]) {
      machine.write({ "proc/net/dev": text });
      assert.deepEqual(valuesOf(network, 1_000), {});
    }
    machine.remove("proc/net/dev");
    assert.deepEqual(valuesOf(network, 2_000), {});
  });

  it("of this machine is seen, where Linux counts it", async (t) => {
    const network = createNetwork("/");
    valuesOf(network, 0);
    await sendToOneself(t.signal, 300_000);
    const loopback = Object.entries(valuesOf(network, 1_000)).filter(([, rate]) => rate >= 300_000);
    assert.equal(loopback.length >= 2, process.platform === "linux");
  });
});

async function sendToOneself(signal: AbortSignal, bytes: number): Promise<void> {
  const server = createServer((socket) => socket.resume().once("end", () => socket.end())).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening", { signal });
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.resume().end(Buffer.alloc(bytes));
  await once(socket, "close", { signal });
  server.close();
  await once(server, "close", { signal });
}
