/** NestJS on Fastify with nestjs-pino. */
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { Logger, LoggerModule } from "nestjs-pino";
import { BenchController, createBenchModule } from "../nest-module.ts";
import { pinoFile } from "../pino-file.ts";
import { announce } from "../subject.ts";

const logging = LoggerModule.forRoot({ pinoHttp: [{}, pinoFile()], forRoutes: [BenchController] });
const app = await NestFactory.create<NestFastifyApplication>(
  createBenchModule([logging]),
  new FastifyAdapter(),
  { bufferLogs: true },
);
app.useLogger(app.get(Logger));
await app.listen(0, "127.0.0.1");
announce(Number(new URL(await app.getUrl()).port));
