import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHasher } from "../testing/server.ts";
import { argon2id, createPasswords } from "./passwords.ts";

test("a stored password is argon2id with 19 MiB and two passes", async () => {
  const stored = await argon2id.hash("difference engine");
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(await argon2id.hash("difference engine"), stored);
  assert.equal(await argon2id.verify(stored, "difference engine"), true);
  assert.equal(await argon2id.verify(stored, "Difference engine"), false);
});

test("without an account the same kind of hash is compared, and nothing matches it", async () => {
  const compared: string[] = [];
  const passwords = createPasswords({
    ...argon2id,
    verify(stored, password) {
      compared.push(stored);
      return argon2id.verify(stored, password);
    },
  });
  assert.equal(await passwords.verify(undefined, "difference engine"), false);
  assert.match(compared[0]!, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const agreeable = createPasswords({ ...createTestHasher(), verify: async () => true });
  assert.equal(await agreeable.verify(undefined, "anything"), false);
});

test("a flood is turned away before it takes the memory and the threads", async () => {
  let running = 0;
  let most = 0;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const passwords = createPasswords({
    ...createTestHasher(),
    async verify() {
      most = Math.max(most, ++running);
      await opened;
      running--;
      return true;
    },
  });
  const attempts = Array.from({ length: 1000 }, () => passwords.verify("stored", "password"));
  open();
  const outcomes = await Promise.allSettled(attempts);
  assert.equal(most, 2);
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 2 + 64);
  const busy = { code: "PASSWORDS_BUSY", status: 503, headers: { "Retry-After": "1" } };
  await assert.rejects(attempts.at(-1)!, busy);
});
