import { APIVersionManager, createApp } from "annex";
import { routes as enums } from "./enums.ts";
import { routes } from "./routes.ts";

const versions = new APIVersionManager();
versions.registerVersion("v1", { title: "Bus", publicSwagger: true });
versions.setVersionRouteRegistrar("v1", routes);
versions.registerVersion("v2", { title: "Bus with enums" });
versions.setVersionRouteRegistrar("v2", enums);

void createApp({ versions }).start();
