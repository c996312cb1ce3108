/** NestJS on Express with nothing on it, or with Annex attached. */
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { attachAnnex } from "../../attach-annex.ts";
import { createBenchModule } from "../../nest-module.ts";
import { announce } from "../../subject.ts";

const app = await NestFactory.create(createBenchModule(), new ExpressAdapter(), { logger: false });
await attachAnnex(app);
await app.listen(0, "127.0.0.1");
announce(Number(new URL(await app.getUrl()).port));
