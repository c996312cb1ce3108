declare module "swagger-stats" {
  import type { RequestHandler } from "express";

  const swaggerStats: { getMiddleware(options: object): RequestHandler };
  export default swaggerStats;
}
