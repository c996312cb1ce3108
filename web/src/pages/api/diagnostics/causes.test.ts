import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupByCause } from "./causes.ts";

const point = { code: "STATUS_UNKNOWN", message: "Not known.", unread: false, routes: ["GET /a"] };

describe("causes of open points", () => {
  it("list all places with the same reason, unread handlers first", () => {
    const missing = { code: "HANDLER_NOT_FOUND", message: "No source map.", unread: true };
    const causes = groupByCause([
      { ...point, file: "a.ts", line: 1 },
      { ...missing, file: "b.ts", routes: ["GET /b", "GET /c"] },
      { ...point, file: "c.ts", line: 7 },
      { ...missing, routes: ["GET /d"] },
    ]);
    assert.deepEqual(causes, [
      {
        ...missing,
        places: [
          { place: "b.ts", field: undefined, routes: ["GET /b", "GET /c"] },
          { place: undefined, field: undefined, routes: ["GET /d"] },
        ],
      },
      {
        ...{ code: "STATUS_UNKNOWN", message: "Not known.", unread: false },
        places: [
          { place: "a.ts:1", field: undefined, routes: ["GET /a"] },
          { place: "c.ts:7", field: undefined, routes: ["GET /a"] },
        ],
      },
    ]);
  });

  it("name the fields next to their places", () => {
    const [cause, another] = groupByCause([
      { ...point, message: "`id` is `any`." },
      { ...point, message: "`tags` is `any`." },
    ]);
    assert.equal(cause?.message, "This field is `any`.");
    assert.deepEqual(
      cause?.places.map(({ field }) => field),
      ["id", "tags"],
    );
    assert.equal(another, undefined);
  });
});
