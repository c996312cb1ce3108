// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

// API_DESC Above a const.
// API_TAGS a
export const arrow = async (e: RequestEvent) => e.noContent();

// API_DESC Above a function expression.
const expression = function named(e: RequestEvent) {
  return e.noContent();
};

class Controller {
  // API_DESC Above a method.
  // API_TAGS b
  method(e: RequestEvent) {
    return e.noContent();
  }

  // API_DESC Above a field.
  field = (e: RequestEvent) => e.noContent();

  // API_DESC Above a static method.
  static async still(e: RequestEvent) {
    return e.noContent();
  }
}

const handlers = {
  // API_DESC Above a property.
  property: (e: RequestEvent) => e.noContent(),
  // API_DESC Above a shorthand method.
  shorthand(e: RequestEvent) {
    return e.noContent();
  },
};

const controller = new Controller();

export function routes(router: VersionedRouter): void {
  router.get("/arrow", arrow);
  router.get("/expression", expression);
  router.get("/method", (e) => controller.method(e));
  router.get("/bound", controller.method.bind(controller));
  router.get("/field", controller.field);
  router.get("/static", Controller.still);
  router.get("/property", handlers.property);
  router.get("/shorthand", handlers.shorthand);
  router.get(
    "/inline",
    // API_DESC Inside the call.
    // API_TAGS c
    (e) => e.noContent(),
  );
  // API_DESC Above the call.
  router.get("/above", (e) => e.noContent());
}
