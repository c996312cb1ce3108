import { attachAnnex } from "./attached.mjs";
import { announce, load } from "./meter.mjs";

const { default: express } = await load("express");
const app = express();
app.get("/hello", (_request, response) => {
  response.json({ hello: "world" });
});
await attachAnnex(app);
const server = app.listen(0, "127.0.0.1", () => announce(server.address().port));
