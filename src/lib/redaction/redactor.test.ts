import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRedactor } from "./redactor.ts";

const redactor = createRedactor(["iban"]);

describe("the redactor of an application", () => {
  for (const [path, pattern, expected] of [
    ["/orders/17", "/orders/{id}", "/orders/17"],
    ["/reset/abc", "/reset/{token}", "/reset/[redacted]"],
    ["/reset/abc/done", "/reset/{resetToken}/done", "/reset/[redacted]/done"],
    ["/a/b/c/d", "/a/{secret...}", "/a/[redacted]"],
    ["/accounts/DE1", "/accounts/{customerIban}", "/accounts/[redacted]"],
    ["/countries/de", "/countries/{code}", "/countries/de"],
    ["/x;jsessionid=A1", undefined, "/x;jsessionid=[redacted]"],
    ["/verify/eyJhbGciOiJIUzI1NiJ9.e30.c2ln", undefined, "/verify/[redacted]"],
    ["/go/https%3A%2F%2Fada%3Ap%40h", undefined, "/go/https%3A%2F%2F[redacted]%40h"],
    ["/caf%C3%A9", undefined, "/caf%C3%A9"],
    ["/", "/reset/{token}", "/"],
    ["/plain", undefined, "/plain"],
  ] as const)
    it(`shows ${path} of ${pattern} as ${expected}`, () =>
      assert.equal(redactor.path(path, pattern), expected));

  it("applies names of the application to fields, text and headers", () => {
    assert.ok(redactor.isSensitive("customerIban"));
    assert.equal(redactor.text("/x?customer_iban=DE1"), "/x?customer_iban=[redacted]");
    assert.equal(redactor.text("iban: 'DE1'"), "iban: '[redacted]'");
    assert.equal(redactor.header("X-Iban", "DE1"), "[redacted]");
  });

  it("does not remember more names than it needs", () => {
    for (let index = 0; index < 10_000; index++) assert.ok(!redactor.isSensitive(`field${index}`));
    assert.ok(redactor.isSensitive("apiKey"));
  });
});
