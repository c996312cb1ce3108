/** NestJS on Express. The decorators are called as functions, because Node does not know the syntax. */
import { load } from "./meter.mjs";

await load("reflect-metadata");
const { Controller, Get, Module } = await load("@nestjs/common");
const { NestFactory } = await load("@nestjs/core");
const { ExpressAdapter } = await load("@nestjs/platform-express");

class HelloController {
  hello() {
    return { hello: "world" };
  }
}

const { prototype } = HelloController;
Get("hello")(prototype, "hello", Object.getOwnPropertyDescriptor(prototype, "hello"));
Controller()(HelloController);

export function createNest(imports, options) {
  class AppModule {}
  Module({ imports, controllers: [HelloController] })(AppModule);
  return NestFactory.create(AppModule, new ExpressAdapter(), options);
}
