import inspector from "node:inspector";

type AnyFunction = (...args: never[]) => unknown;

/** The value of a variable in a function's scope that the function does not declare itself. Only objects are found. */
export function readVariable(func: AnyFunction, name: string): unknown {
  return withSession((session) => {
    const scopes = internalOf(session, handleOf(session, func), "[[Scopes]]")?.objectId;
    for (const { value } of scopes ? propertiesOf(session, scopes) : []) {
      const variables = value?.objectId ? propertiesOf(session, value.objectId) : [];
      const found = variables.find((variable) => variable.name === name)?.value?.objectId;
      if (found) return fetchValue(session, found);
    }
    return undefined;
  });
}

/** Used to pass values between the program and the inspector. */
const shelf = Symbol.for("annex.inspected");
const shelved = globalThis as unknown as Record<symbol, unknown>;

/** Runs the work with a session of the inspector for this thread: without a port, and without the debugger. */
export function withSession<T>(work: (session: inspector.Session) => T): T {
  const session = new inspector.Session();
  session.connect();
  try {
    return work(session);
  } finally {
    delete shelved[shelf];
    session.disconnect();
  }
}

/** The inspector's ID of a value. */
export function handleOf(session: inspector.Session, value: unknown): string | undefined {
  shelved[shelf] = value;
  const expression = 'globalThis[Symbol.for("annex.inspected")]';
  return post<{ result: Remote }>(session, "Runtime.evaluate", { expression }).result.objectId;
}

function fetchValue(session: inspector.Session, objectId: string): unknown {
  const functionDeclaration = 'function () { globalThis[Symbol.for("annex.inspected")] = this; }';
  post(session, "Runtime.callFunctionOn", { objectId, functionDeclaration });
  return shelved[shelf];
}

/** A value in the inspector's format. */
export interface Remote {
  readonly objectId?: string;
  readonly value?: unknown;
}

interface Properties {
  readonly result: readonly { name: string; value?: Remote }[];
  readonly internalProperties?: readonly { name: string; value?: Remote }[];
}

const readProperties = (session: inspector.Session, objectId: string) =>
  post<Properties>(session, "Runtime.getProperties", { objectId, ownProperties: true });

const propertiesOf = (session: inspector.Session, objectId: string) =>
  readProperties(session, objectId).result;

/** A property that programs cannot read, such as `[[FunctionLocation]]`. */
export function internalOf(
  session: inspector.Session,
  objectId: string | undefined,
  name: string,
): Remote | undefined {
  if (objectId === undefined) return undefined;
  return readProperties(session, objectId).internalProperties?.find((each) => each.name === name)?.value;
}

/** For its own thread, the inspector calls back before `post` returns. */
export function post<T>(session: inspector.Session, method: string, params: object = {}): T {
  let response: T | undefined;
  const done = (error: Error | null, result: T) => {
    if (!error) response = result;
  };
  (
    session.post as (method: string, params: object, done: (error: Error | null, result: T) => void) => void
  ).call(session, method, params, done);
  if (response === undefined) throw new Error(`The inspector did not respond to ${method}.`);
  return response;
}
