import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPasswordProblem, isEmail, normalizeEmail, refuseNewSuperuser } from "./fields.ts";

test("an address has one spelling", () => {
  assert.equal(normalizeEmail("  Ada@Example.COM\n"), "ada@example.com");
});

const addresses: [address: string, isOne: boolean][] = [
  ["ada@example.com", true],
  ["admin@localhost", true],
  ["o'brien+annex@example.co.uk", true],
  ["zoë@exämple.de", true],
  ["<b>@example.com", true],
  [`${"a".repeat(242)}@example.com`, true],
  [`${"a".repeat(243)}@example.com`, false],
  ["", false],
  ["ada", false],
  ["@example.com", false],
  ["ada@", false],
  ["ada@example@com", false],
  ["ada lovelace@example.com", false],
  ["ada\0@example.com", false],
  ["ada\u202e@example.com", false],
];
for (const [address, isOne] of addresses) {
  test(`${JSON.stringify(address).slice(0, 40)} is ${isOne ? "an" : "no"} address`, () => {
    assert.equal(isEmail(address), isOne);
  });
}

const passwords: [password: string, code: string | undefined][] = [
  ["", "required"],
  ["seven77", "too_short"],
  ["🔑🔑🔑🔑🔑🔑🔑", "too_short"],
  ["eight888", undefined],
  ["🔑🔑🔑🔑🔑🔑🔑🔑", undefined],
  ["x".repeat(1024), undefined],
  ["x".repeat(1025), "too_long"],
  ["ü".repeat(513), "too_long"],
];
for (const [password, code] of passwords) {
  test(`a new password of ${password.length} like "${password.slice(0, 8)}": ${code ?? "accepted"}`, () => {
    const choose = () => refuseNewSuperuser({ email: "ada@example.com", password });
    if (code === undefined) choose();
    else
      assert.throws(choose, (error: { data: object }) => {
        assert.partialDeepStrictEqual(error.data, { password: { code } });
        return true;
      });
  });
}

test("a password that is only compared may be short, not endless", () => {
  assert.equal(givenPasswordProblem("abc"), undefined);
  assert.equal(givenPasswordProblem("x".repeat(10_240))?.code, "too_long");
});

test("one error names every field", () => {
  const given = { email: "ada", password: "short", passwordConfirm: "other" };
  assert.throws(() => refuseNewSuperuser(given), {
    code: "INVALID_FIELDS",
    status: 400,
    message:
      "Enter an email address such as ada@example.com. The password needs at least 8 characters. The passwords do not match.",
    data: {
      email: { code: "invalid_email", message: "Enter an email address such as ada@example.com." },
      password: { code: "too_short", message: "The password needs at least 8 characters." },
      passwordConfirm: { code: "mismatch", message: "The passwords do not match." },
    },
  });
});
