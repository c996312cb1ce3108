import "reflect-metadata";
import { Controller, Get, Module, type ModuleMetadata, Param } from "@nestjs/common";

/** The routes of the benchmark. The decorators are called as the functions they are: Node does not know the syntax. */
export class BenchController {
  hello() {
    return { hello: "world" };
  }

  user(id: string) {
    return { id };
  }
}

function decorate(path: string, method: "hello" | "user"): void {
  const descriptor = Object.getOwnPropertyDescriptor(BenchController.prototype, method)!;
  Get(path)(BenchController.prototype, method, descriptor);
}

decorate("hello", "hello");
decorate("users/:id", "user");
Param("id")(BenchController.prototype, "user", 0);
Controller()(BenchController);

export function createBenchModule(imports: NonNullable<ModuleMetadata["imports"]> = []): new () => object {
  class BenchModule {}
  Module({ imports, controllers: [BenchController] })(BenchModule);
  return BenchModule;
}
