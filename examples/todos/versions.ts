import { type APIVersionManager, initializeVersionedSystemWithRoutes } from "../../src/index.ts";
import { mountPeople } from "./people.ts";
import { mountVersion1 } from "./v1.ts";
import { mountVersion2 } from "./v2.ts";

const about = {
  title: "Todos",
  publicSwagger: true,
  contactName: "The Annex team",
  licenseName: "MIT",
};

/** The first version remains for existing clients. New clients use the second one. */
export function createVersions(): APIVersionManager {
  return initializeVersionedSystemWithRoutes(
    {
      v1: {
        config: {
          ...about,
          version: "1.4.0",
          description: "The first version. It will be removed at the end of 2027. Use v2.",
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
          description: "Todos with owners, due dates, paging and search.",
        },
        routes: (router) => mountVersion2(router.setPrefix("/api/v2")),
      },
    },
    "v2",
  );
}
