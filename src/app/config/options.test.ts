import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { renderTypes, typesFile } from "../../../scripts/update-options.ts";
import type { OptionsInput } from "../../lib/options/option-set.ts";
import type { features } from "../features.ts";
import type { baseOptions } from "./config.ts";
import type { AppOptions } from "./options.ts";

type Derived = OptionsInput<(typeof baseOptions)[number] | (typeof features)[number]["options"][number]>;

/** Compiles only if both types accept the same values. */
const same: [(options: AppOptions) => Derived, (options: Derived) => AppOptions] = [
  (options) => options,
  (options) => options,
];

describe("the type of the options", () => {
  it("is as declared", () => {
    assert.equal(same.length, 2);
    assert.equal(
      readFileSync(typesFile, "utf8").replaceAll(/\s+/g, " "),
      renderTypes().replaceAll(/\s+/g, " "),
      "run npm run update:options",
    );
  });
});
