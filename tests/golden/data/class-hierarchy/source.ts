// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

abstract class Shape {
  abstract readonly kind: string;
  label = "";

  describe() {
    return { kind: this.kind, label: this.label, area: this.area() };
  }

  protected abstract area(): number;
}

class Circle extends Shape {
  readonly kind = "circle";
  radius = 1;

  protected area() {
    return Math.PI * this.radius ** 2;
  }
}

function getCircle(e: RequestEvent) {
  return e.json(200, new Circle());
}

function describeCircle(e: RequestEvent) {
  return e.json(200, new Circle().describe());
}

export function routes(router: VersionedRouter): void {
  router.get("/circle", getCircle);
  router.get("/description", describeCircle);
}
