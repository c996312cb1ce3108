import assert from "node:assert/strict";
import { test } from "node:test";
import { refuseBundle } from "./refuse-bundle.ts";

test("Annex is not taken for a bundle if a property of Object.prototype breaks Node", () => {
  refuseBundle();
  Object.defineProperty(Object.prototype, "path", { value: "/x", enumerable: true, configurable: true });
  try {
    assert.throws(refuseBundle, /functions of Node\.js fail with Object\.prototype\.path\. Remove the code/);
  } finally {
    Reflect.deleteProperty(Object.prototype, "path");
  }
  refuseBundle();
});
