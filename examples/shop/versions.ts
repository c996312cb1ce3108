import { type APIVersionManager, cors, initializeVersionedSystemWithRoutes } from "../../src/index.ts";
import { mountOrders } from "./orders.ts";
import { mountProducts } from "./products.ts";
import { mountUsers, sessionCookie } from "./users.ts";

/** Pages of these origins can call the API with the cookie of a user. */
const origins = ["https://admin.shop.example"];

export function createVersions(): APIVersionManager {
  return initializeVersionedSystemWithRoutes(
    {
      v1: {
        config: {
          title: "Shop",
          version: "1.0.0",
          publicSwagger: true,
          checked: true,
          securitySchemes: { session: { type: "apiKey", in: "cookie", name: sessionCookie } },
        },
        routes(router) {
          const api = router.setPrefix("/api/v1");
          api.use(cors({ origins, credentials: true }));
          mountUsers(api);
          mountProducts(api);
          mountOrders(api);
        },
      },
    },
    "v1",
  );
}
