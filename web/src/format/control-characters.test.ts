import assert from "node:assert/strict";
import { it } from "node:test";
import { showControls } from "./control-characters.ts";

it("shows control characters as escapes, and leaves other text as it is", () => {
  assert.equal(showControls("left \u202e right \u0000"), "left \\u202e right \\u0000");
  assert.equal(showControls("two\nlines\tand a tab"), "two lines and a tab");
  assert.equal(showControls("שלום 👩‍💻 naïve"), "שלום 👩‍💻 naïve");
});
