import { type Adapter, hasFunctions } from "./adapter.ts";
import { isExpress } from "./express/application.ts";
import { describeExpress } from "./express/express.ts";
import { attachToFastify } from "./fastify.ts";
import { attachServer, requireHttpServer } from "./server.ts";

/** The parts of a NestJS application that Annex uses. */
interface NestApplication {
  getHttpServer(): unknown;
  getHttpAdapter(): { getInstance(): unknown };
  readonly isListening?: boolean;
}

function isNest(value: unknown): value is NestApplication {
  return hasFunctions(value, "getHttpServer", "getHttpAdapter", "useGlobalFilters");
}

/** NestJS runs on Express or Fastify, and creates the server with the application. */
export const attachNest: Adapter = (target, context) => {
  if (!isNest(target)) return undefined;
  const instance = target.getHttpAdapter().getInstance();
  if (hasFunctions(instance, "addHook")) {
    return {
      ...attachToFastify(instance as unknown as Parameters<typeof attachToFastify>[0], context),
      name: "NestJS",
    };
  }
  const server = requireHttpServer(target.getHttpServer());
  const routes = isExpress(instance) ? describeExpress(instance, context) : {};
  const isOpened = () => target.isListening !== false;
  return attachServer(server, context, { ...routes, name: "NestJS" }, { isOpened });
};
