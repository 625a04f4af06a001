/**
 * Queries and transactions over a bounded pool of connections. Invariants: every path returns its connection to the pool,
 * and closes one whose state is unknown; a transaction that did not commit throws. A PostgreSQL that is unreachable or
 * cannot write causes `busy` (503).
 *
 * `numeric`, `numeric[]`, `int8` and `int8[]` arrive as decimal strings, so that no amount passes through a float; `date`
 * as `YYYY-MM-DD`; `timestamptz` as Date.
 */
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { busy } from '@fulcrum/contract';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { isLostConnection } from './lost-connection.ts';
import type { Address } from './primary.ts';
import { refusedWrite } from './refused-writes.ts';

export interface Queryable {
  /** With a `name` the statement is prepared once per connection; a name always has the same text. */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<{ rows: Row[]; rowCount: number }>;
}

export interface Database extends Queryable {
  /** Commits when `work` resolves, rolls back when it rejects. Default isolation (read committed). */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  /** Resolves once no query is running; cuts off the rest after `closeWithinMs`. */
  close(): Promise<void>;
}

/** Maximum of connections; the engine, its advisory lock and the readers share them. */
const connectionsMax = 16;
/** Maximum of callers that wait for a connection; further ones receive `busy`. */
const waitingMax = 1000;
/** The callers are gone by then: the pool closes after the last response. */
const closeWithinMs = 1500;
/** How long a connection that was cut off takes to return to the pool. */
const cutOffWithinMs = 500;

const refusalLoggedEveryMs = 60_000;

/** Array types, for which pg-types has no names (pg_type.oid). */
const arrayOf: Readonly<Record<'text' | 'numeric' | 'int8', number>> = {
  text: 1009,
  numeric: 1231,
  int8: 1016,
};
const asText = (value: string) => value;
const asTextArray = pg.types.getTypeParser(arrayOf.text);
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.NUMERIC, asText],
  [pg.types.builtins.INT8, asText],
  [pg.types.builtins.DATE, asText],
  [arrayOf.numeric, asTextArray],
  [arrayOf.int8, asTextArray],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
};

/** Connections to an address that may change; those that lead to a former one are cut off. */
function clientOf(address: Address): NonNullable<pg.PoolConfig['Client']> {
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      const socket = new Socket();
      super({ ...config, connectionString: address.url(), stream: () => socket });
      // A host that is gone answers no message: only the socket can end the connection.
      socket.once(
        'close',
        address.onLeave(() => socket.destroy()),
      );
    }
  };
}

/** @param address takes the place of the one in `connection`, where it may change */
export function createDatabase(connection: pg.PoolConfig, log: Log, address?: Address): Database {
  const pool = new pg.Pool({
    ...(address && { Client: clientOf(address) }),
    max: connectionsMax,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    ...connection,
    types,
  });
  pool.on('error', ({ message }) => {
    // While the pool closes, the server may close the connection before the client does.
    if (!pool.ending) log.warn({ reason: message }, 'an idle database connection was lost');
  });

  const connections = new Set<pg.PoolClient>();
  pool.on('connect', (client) => connections.add(client));
  pool.on('remove', (client) => connections.delete(client));

  const admit = () => {
    if (pool.waitingCount >= waitingMax) throw busy();
  };

  let isReachable = true;
  let refusalLoggedAt = Number.NEGATIVE_INFINITY;
  /** Logs an outage once, however many callers meet it; logs a refusal, beside which reads go on, once a minute. */
  const logOutage = (error: unknown): void => {
    if (isLostConnection(error)) {
      if (isReachable) log.warn({ err: error }, 'the database cannot be reached');
      isReachable = false;
    } else if (performance.now() - refusalLoggedAt > refusalLoggedEveryMs) {
      refusalLoggedAt = performance.now();
      log.error({ err: error }, 'the database refuses to work');
    }
  };
  const withOutageLog = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      isReachable = true;
      return result;
    } catch (error) {
      if (!isLostConnection(error) && refusedWrite(error) === null) throw error;
      logOutage(error);
      throw busy();
    }
  };

  return {
    pool,
    async query(text, values, name) {
      admit();
      return withOutageLog(() => run(pool, text, values, name));
    },
    async transaction(work) {
      admit();
      const client = await withOutageLog(() => pool.connect());
      let broken: Error | undefined;
      const onError = (error: Error) => {
        broken = error;
      };
      // Between two queries no other listener exists, and an unhandled 'error' event ends the process.
      client.on('error', onError);
      try {
        await withOutageLog(() => client.query('begin'));
        const result = await work({
          query: (text, values, name) => withOutageLog(() => run(client, text, values, name)),
        });
        const commit = await withOutageLog(() => client.query('commit'));
        // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK and no error.
        if (commit.command !== 'COMMIT')
          throw new Error('the transaction was rolled back: a statement in it failed');
        return result;
      } catch (error) {
        await client.query('rollback').catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    close: () => closePool(pool, connections, log),
  };
}

async function closePool(pool: pg.Pool, connections: ReadonlySet<pg.PoolClient>, log: Log): Promise<void> {
  const ended = pool.end().then(() => true);
  const within = (ms: number) => Promise.race([ended, sleep(ms, false, { ref: false })]);
  if (await within(closeWithinMs)) return;
  log.warn({ connections: connections.size }, 'cutting off what still holds a database connection');
  // Inside a statement this closes the socket.
  for (const client of connections) void client.end().catch(() => undefined);
  await within(cutOffWithinMs);
}

async function run<Row>(
  target: pg.Pool | pg.PoolClient,
  text: string,
  values?: readonly unknown[],
  name?: string,
): Promise<{ rows: Row[]; rowCount: number }> {
  const result = await target.query({
    text,
    ...(values === undefined ? {} : { values: [...values] }),
    ...(name === undefined ? {} : { name }),
  });
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
}
