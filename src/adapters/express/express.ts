import { type ObservedRequest, setOwn } from "../../http/index.ts";
import { traceContext } from "../../lib/trace-context.ts";
import { type Adapter, type AttachContext, type Attachment, serverOf } from "../adapter.ts";
import { followListen, requireHttpServer } from "../server.ts";
import { type Done, type ExpressApplication, isExpress, isRouter, type Router } from "./application.ts";
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
  const observedApp = observeUnhandled(app, context);
  const restoreHandle = setOwn(app, "handle", (request, response, done) => {
    if (!context.canTake(request, response)) {
      Reflect.apply(handle, app, [request, response, done]);
      return;
    }
    context.useServer(serverOf(request), { role: "seen" });
    const observed = context.take(request, response);
    if (observed === undefined) return;
    traceContext.run(observed, () => {
      if (done) Reflect.apply(handle, app, [request, response, passError(observed, done)]);
      else Reflect.apply(handle, observedApp, [request, response]);
    });
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

/** Notes the error that an application passes to the one that it is mounted in. To Express, a falsy value is none. */
function passError(observed: ObservedRequest, done: Done): Done {
  return (error) => {
    if (error) observed.noteError(error);
    done(error);
  };
}

/**
 * The same application, with a router that notes what it did not handle. Without a `next` function, Express responds to
 * such a request in a function that only its router gets. That must remain the only response.
 */
function observeUnhandled(app: ExpressApplication, context: AttachContext): ExpressApplication {
  const observe = (router: unknown) => (isRouter(router) ? observeRouter(router, context) : router);
  return Object.create(app, {
    router: { get: () => observe(app.router) },
    _router: { get: () => observe(app._router) },
  });
}

function observeRouter(router: Router, { observedOf }: AttachContext): Pick<Router, "handle"> {
  return {
    handle(request, response, done) {
      router.handle(request, response, (error) => {
        const observed = observedOf(response);
        if (error) observed?.noteError(error);
        // The last route that was tried did not respond.
        else if (observed && !response.headersSent) observed.findRoute = undefined;
        done(error);
      });
    },
  };
}
