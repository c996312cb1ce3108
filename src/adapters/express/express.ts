import { type ObservedRequest, setOwn } from "../../http/index.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { type Adapter, type AttachContext, type Attachment, serverOf } from "../adapter.ts";
import { followListen, requireHttpServer } from "../server.ts";
import { type Done, type ExpressApplication, type Handle, isExpress } from "./application.ts";
import { ExpressRoutes } from "./express-routes.ts";

/**
 * Express calls `app.handle` for every request, whichever server received it. So Annex can be attached before the server
 * exists, and tests that pass the application to supertest go through it too.
 */
export const attachExpress: Adapter = (target, context, { server }) => {
  if (!isExpress(target)) return undefined;
  const given = server && requireHttpServer(server);
  const attachment = attachToExpress(target, context);
  if (given) context.useServer(given);
  return attachment;
};

export function attachToExpress(app: ExpressApplication, context: AttachContext): Attachment {
  context.claim(app);
  const { handle } = app;
  const description = describeExpress(app, context);
  const respond = respondAs(app, handle);
  const restoreHandle = setOwn(app, "handle", (request, response, done) => {
    if (!context.canTake(request, response)) {
      Reflect.apply(handle, app, [request, response, done]);
      return;
    }
    context.useServer(serverOf(request), { role: "seen" });
    const observed = context.take(request, response);
    if (observed === undefined) return;
    const finish = done ? passError(observed, done) : (error?: unknown) => respond(observed, error);
    traceContext.run(observed, () => Reflect.apply(handle, app, [request, response, finish]));
  });
  const restoreListen = followListen(app, context);
  return {
    ...description,
    detach() {
      restoreHandle();
      restoreListen();
    },
  };
}

/** The routes of an Express application, for an attachment. */
export function describeExpress(app: ExpressApplication, context: AttachContext): Omit<Attachment, "detach"> {
  const routes = new ExpressRoutes(app, (found) => context.noteRoutes(found));
  return {
    name: "Express",
    patternOf: (observed) => routes.patternOf(observed.request, observed.path),
    readRoutes: () => routes.read(),
  };
}

/** Notes the error that an application passes to the one that it is mounted in. */
function passError(observed: ObservedRequest, done: Done): Done {
  return (error) => {
    if (error !== undefined && error !== null) observed.noteError(error);
    done(error);
  };
}

/** Reports the error of a request that the application did not handle, and responds as the application would have. */
function respondAs(app: ExpressApplication, handle: Handle) {
  return (observed: ObservedRequest, error: unknown) => {
    // The last route that was tried did not respond.
    if (error === undefined || error === null) observed.findRoute = undefined;
    else observed.noteError(error);
    const router = { handle: (_request: unknown, _response: unknown, done: Done) => done(error) };
    // Express has its own response if nothing handled a request. This is the same application without its routes.
    const empty = Object.create(app, { router: { value: router }, _router: { value: router } });
    Reflect.apply(handle, empty, [observed.request, observed.response]);
  };
}
