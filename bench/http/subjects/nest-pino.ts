/** NestJS on Fastify with nestjs-pino. Its decorators are called as the functions they are: Node does not know the syntax. */
import "reflect-metadata";
import { Controller, Get, Module, Param } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { Logger, LoggerModule } from "nestjs-pino";
import { pinoFile } from "../pino-file.ts";
import { announce } from "../subject.ts";

class BenchController {
  hello() {
    return { hello: "world" };
  }

  user(id: string) {
    return { id };
  }
}

class BenchModule {}

function decorate(path: string, method: "hello" | "user"): void {
  const descriptor = Object.getOwnPropertyDescriptor(BenchController.prototype, method)!;
  Get(path)(BenchController.prototype, method, descriptor);
}

decorate("hello", "hello");
decorate("users/:id", "user");
Param("id")(BenchController.prototype, "user", 0);
Controller()(BenchController);
Module({
  imports: [LoggerModule.forRoot({ pinoHttp: [{}, pinoFile()], forRoutes: [BenchController] })],
  controllers: [BenchController],
})(BenchModule);

const app = await NestFactory.create<NestFastifyApplication>(BenchModule, new FastifyAdapter(), {
  bufferLogs: true,
});
app.useLogger(app.get(Logger));
await app.listen(0, "127.0.0.1");
announce(Number(new URL(await app.getUrl()).port));
