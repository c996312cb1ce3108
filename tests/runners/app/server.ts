import { APIVersionManager, createApp } from "annex";
import { routes } from "./routes.ts";

const versions = new APIVersionManager();
versions.registerVersion("v1", { title: "Bus", publicSwagger: true });
versions.setVersionRouteRegistrar("v1", routes);

void createApp({ versions }).start();
