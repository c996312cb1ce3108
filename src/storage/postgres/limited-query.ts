import pg from "pg";

/** Methods of pg that its types do not declare. `pg-cursor` relies on the same ones. */
interface Protocol {
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
}
interface ExtendedQuery extends pg.Submittable {
  prepare(connection: Protocol): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Protocol): void;
}
type Callback = (error: Error | null, result: pg.QueryResult) => void;
const ExtendedQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[],
  callback: Callback,
) => ExtendedQuery;

/**
 * Runs two statements in one round trip and one implicit transaction, because one `Sync` ends both. The first one sets
 * the limits of the transaction, and its row is ignored.
 */
class LimitedQuery extends ExtendedQuery {
  readonly #setLimits: string;
  #isLimited = false;

  constructor(setLimits: string, text: string, values: unknown[], callback: Callback) {
    super(text, values, callback);
    this.#setLimits = setLimits;
  }

  override prepare(connection: Protocol): void {
    connection.parse({ text: this.#setLimits });
    connection.bind({});
    connection.execute({});
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#isLimited) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Protocol): void {
    if (this.#isLimited) super.handleCommandComplete(message, connection);
    this.#isLimited = true;
  }
}

/** Runs a statement with parameters after `setLimits`, a statement without parameters, in the same transaction. */
export function queryLimited(
  client: pg.ClientBase,
  setLimits: string,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  client.query(
    new LimitedQuery(setLimits, text, values, (error, result) => (error ? reject(error) : resolve(result))),
  );
  return promise;
}
