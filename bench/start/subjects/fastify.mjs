import { attachAnnex } from "./attached.mjs";
import { announce, load } from "./meter.mjs";

const { default: Fastify } = await load("fastify");
const app = Fastify();
app.get("/hello", async () => ({ hello: "world" }));
await attachAnnex(app);
announce(Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port));
