// Service, cluster: connections to PostgreSQL, and a connection that reopens when it ends.
// Runs in the thread with the connections (journal-worker.ts).
import { Client, type QueryResult, type QueryResultRow } from 'pg';

/** How long PostgreSQL may take to accept a connection, or to answer one statement, ms. */
const CONNECT_MS = 2_000;
const STATEMENT_MS = 5_000;

/** The database notices a lost host within seconds, and frees its locks. */
const SESSION = `SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET tcp_user_timeout = 3000; SET statement_timeout = 0; SET idle_session_timeout = 0`;

/** @throws when the database cannot be reached */
export async function connect(url: string, name: string, queryMs: number | null = STATEMENT_MS): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: `barograph ${name}`,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(queryMs === null ? {} : { query_timeout: queryMs }),
  });
  // The next query fails with the same error.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SESSION);
  return client;
}

/** Whether the server refused the statement and the connection stays open. Classes 57 and 08 end it. */
export const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(?!57|08)[0-9A-Z]{5}$/.test(String(error.code));

/** SQL; with a name, each connection plans it once. */
export type Statement = string | { readonly name: string; readonly text: string };

/** Connects with its first query, and with the next one after the connection ended. */
export class Connection {
  readonly #url: string;
  readonly #name: string;
  #client: Client | null = null;

  constructor(url: string, name: string) {
    this.#url = url;
    this.#name = name;
  }

  /** Replaces the connection. @throws when the database cannot be reached */
  async reconnect(): Promise<Client> {
    this.#client = await connect(this.#url, this.#name);
    return this.#client;
  }

  /** @throws an error of the statement, or of the connection */
  async query<Row extends QueryResultRow>(statement: Statement, values: unknown[] = []): Promise<QueryResult<Row>> {
    const client = this.#client ?? (await this.reconnect());
    try {
      // A copy: pg writes the values into the object that it is given.
      return await client.query<Row>(typeof statement === 'string' ? statement : { ...statement }, values);
    } catch (error) {
      if (!isOfStatement(error)) {
        if (this.#client === client) this.#client = null;
        void client.end().catch(() => undefined);
      }
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }
}
