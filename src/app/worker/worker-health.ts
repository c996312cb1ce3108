import { once } from "node:events";
import { explainListenError } from "../../http/index.ts";
import { http } from "../../lib/node/http.ts";
import type { App } from "../app.ts";

/** Serves only the health checks, for orchestrators. Resolves with the port, and a function that closes it. */
export async function serveHealth(
  app: Pick<App, "inject">,
  { host, port, basePath }: { host: string; port: number; basePath: string },
): Promise<{ port: number; close(): void }> {
  const paths = new Set([`${basePath}/api/health`, `${basePath}/api/health/ready`]);
  const server = http.createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const isCheck = paths.has(path) && (request.method === "GET" || request.method === "HEAD");
    const found = isCheck ? await app.inject({ method: "GET", url: path }).catch(() => undefined) : undefined;
    response.statusCode = found?.status ?? (isCheck ? 503 : 404);
    response.setHeader("content-type", "application/json");
    response.setHeader("connection", "close");
    response.end(request.method === "HEAD" ? undefined : (found?.body ?? "{}"));
  });
  try {
    server.listen({ host, port });
    await once(server, "listening");
  } catch (error) {
    throw explainListenError(error, host, port);
  }
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
