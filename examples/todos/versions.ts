import { type APIVersionManager, initializeVersionedSystemWithRoutes } from "../../src/index.ts";
import { mountPeople } from "./people.ts";
import { mountVersion1 } from "./v1.ts";
import { mountVersion2 } from "./v2.ts";

const about = {
  title: "Todos",
  publicSwagger: true,
  contactName: "The people of Annex",
  licenseName: "MIT",
};

/** The first version goes on for those who use it; the second is where one begins. */
export function createVersions(): APIVersionManager {
  return initializeVersionedSystemWithRoutes(
    {
      v1: {
        config: {
          ...about,
          version: "1.4.0",
          description: "The first version. Use v2; this one goes away at the end of 2027.",
          status: "deprecated",
          sunset: "2027-12-31",
        },
        routes(router) {
          mountPeople(router.setPrefix("/api/v1"));
          mountVersion1(router.setPrefix("/api/v1"));
        },
      },
      v2: {
        config: {
          ...about,
          version: "2.0.0",
          description: "Todos with owners, due dates, pages and search.",
        },
        routes: (router) => mountVersion2(router.setPrefix("/api/v2")),
      },
    },
    "v2",
  );
}
