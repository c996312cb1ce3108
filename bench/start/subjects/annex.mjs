import { createAnnex } from "./attached.mjs";
import { announce } from "./meter.mjs";

const app = await createAnnex();
app.onServe(({ router }) => router.get("/hello", (e) => e.json(200, { hello: "world" })));
const { port } = await app.start();
announce(port);
