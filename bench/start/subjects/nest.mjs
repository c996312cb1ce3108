import { attachAnnex } from "./attached.mjs";
import { announce } from "./meter.mjs";
import { createNest } from "./nest-application.mjs";

const app = await createNest([], { logger: false });
await attachAnnex(app);
await app.listen(0, "127.0.0.1");
announce(Number(new URL(await app.getUrl()).port));
