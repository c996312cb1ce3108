/*
 * Copyright the authors.
 * Licensed under the MIT licence.
 */

// SPDX-License-Identifier: MIT

// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Greets.
function greet(e: RequestEvent) {
  return e.text(200, e.query("name") ?? "you");
}

export function routes(router: VersionedRouter): void {
  router.get("/greet", greet);
}
