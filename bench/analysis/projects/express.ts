import { type Files, toJson } from "./files.ts";
import { createResources, type Resource } from "./resource.ts";

/**
 * The same API for swagger-autogen, which reads files of routes as text: what a handler reads and sends is written
 * out in it, because calls are not followed.
 */
export function createExpressProject(handlers: number): Files {
  const resources = createResources(handlers);
  return {
    "package.json": toJson({ private: true, type: "commonjs" }),
    "document.js": documentSource,
    "app.js": appSource(resources),
    ...Object.fromEntries(
      resources.map((resource) => [`routes/${resource.path}.js`, routesSource(resource)]),
    ),
  };
}

const documentSource = `const swaggerAutogen = require("swagger-autogen")({ openapi: "3.0.0", disableLogs: true });

swaggerAutogen(__dirname + "/openapi.json", [__dirname + "/app.js"], { info: { title: "Bench", version: "1" } });
`;

function appSource(resources: readonly Resource[]): string {
  return `const express = require("express");
${resources.map(({ name, path }) => `const routesOf${name} = require("./routes/${path}");`).join("\n")}

const app = express();
app.use(express.json());
${resources.map(({ name }) => `app.use("/api/v1", routesOf${name});`).join("\n")}
app.listen(8080);
`;
}

function routesSource({ path, fields, neighbour }: Resource): string {
  const names = fields.map(({ name }) => name).join(", ");
  const find = `const found = service.find(req.params.id);
  if (!found) {
    return res.status(404).json({ message: "There is no ${path} with this id." });
  }`;
  return `const express = require("express");
const service = require("../services/${path}");

const router = express.Router();

router.get("/${path}", (req, res) => {
  const { status, search } = req.query;
  const page = Number(req.query.page || 1);
  const perPage = Number(req.query.perPage || 30);
  return res.status(200).json(service.list(status, search, page, perPage));
});

router.post("/${path}", (req, res) => {
  const { ${names}, note } = req.body;
  return res.status(201).json(service.create({ ${names}, note }));
});

router.get("/${path}-summary", (req, res) => {
  return res.status(200).json({ data: service.summarise(), meta: { madeAt: new Date(), took: 1 } });
});

router.get("/${path}-search", (req, res) => {
  const limit = Number(req.query.limit || 10);
  return res.status(200).json(service.search(limit));
});

router.get("/${path}/:id", (req, res) => {
  ${find}
  return res.status(200).json(found);
});

router.put("/${path}/:id", (req, res) => {
  const { ${names}, note } = req.body;
  ${find}
  return res.status(200).json(service.update(found, { ${names}, note }));
});

router.delete("/${path}/:id", (req, res) => {
  ${find}
  service.remove(found);
  return res.status(204).end();
});

router.patch("/${path}/:id/status", (req, res) => {
  const { status, reason } = req.body;
  ${find}
  if (found.status === "closed") {
    return res.status(409).json({ message: "It is closed." });
  }
  return res.status(200).json(service.setStatus(found, status, reason));
});

router.get("/${path}/:id/events", (req, res) => {
  const kind = req.query.kind || "created";
  const limit = Number(req.query.limit || 100);
  ${find}
  return res.status(200).json(service.eventsOf(found, kind, limit));
});

router.post("/${path}/:id/related", (req, res) => {
  const { target, strength, comment } = req.body;
  ${find}
  return res.status(201).json({ data: service.relate(found, target, strength, comment), of: "${neighbour}" });
});

module.exports = router;
`;
}
