import { announce, load } from "./meter.mjs";
import { createNest } from "./nest-application.mjs";

const { Logger, LoggerModule } = await load("nestjs-pino");
const app = await createNest([LoggerModule.forRoot()], { bufferLogs: true });
app.useLogger(app.get(Logger));
await app.listen(0, "127.0.0.1");
announce(Number(new URL(await app.getUrl()).port));
