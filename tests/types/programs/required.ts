// With `require`, as CommonJS modules that are not compiled to another form write it.
import annex = require("annex");

const app: annex.App = annex.createApp({ port: 0 });
app.onServe(({ router }) => {
  router.get("/{id}", (e: annex.RequestEvent<"id">) => e.text(200, e.pathValue("id")));
});
const error = new annex.ApiError(404, "Not found.");
export = { app, error };
