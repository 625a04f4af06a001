/** A running server with users of every role, prices under the test's control, and the requests of the tests. */
import { afterAll, beforeAll, expect } from 'vitest';
import type { Config } from '../../src/platform/config/index.ts';
import { eventually } from '../harness/eventually.ts';
import type { TestServerOptions } from '../harness/index.ts';
import { startUserServer, type TestUser } from '../identity/user-server.ts';

export type TradingServer = Awaited<ReturnType<typeof startTradingServer>>;
export type { TestUser };

export interface Answered {
  readonly data: Record<string, unknown> | null;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly details: string | undefined;
  readonly status: number;
}

/** 1 BTCUSDT at leverage 10. */
const usual = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 } as const;

/** BTCUSDT is at 100, where the prices are under the test's control. */
export async function startTradingServer(
  config: Partial<Config> = {},
  options: Pick<TestServerOptions, 'feed'> = {},
) {
  const server = await startUserServer({ config, ...options });
  server.feed.setPrice('BTCUSDT', '100');
  const admin = await server.addUser('admin');

  const rowsOf = async <Row>(table: string, { id }: TestUser, order = 'created_at'): Promise<Row[]> => {
    const { rows } = await server.db.query<{ row: Row }>(
      `select row_to_json(t) as row from api.${table} t where user_id = $1 order by ${order}, id`,
      [id],
    );
    return rows.map(({ row }) => row);
  };

  return {
    ...server,
    get server() {
      return server.server;
    },
    get db() {
      return server.db;
    },
    admin,
    rowsOf,
    call: async (by: TestUser, procedure: string, args: Record<string, unknown>): Promise<Answered> => {
      const { data, error, status } = await by.client.rpc(procedure, args);
      return { data, code: error?.code, message: error?.message, details: error?.details, status };
    },
    /** Opens 1 BTCUSDT at leverage 10 by default. */
    open: async (trader: TestUser, more: Record<string, unknown> = {}) => {
      const { data, error } = await trader.client.rpc('open_position', {
        ...usual,
        ...more,
      });
      if (error) throw error;
      return data as { id: string; version: number; margin: number };
    },
    /** Opens it, and closes it again at `price`. */
    closedAt: async (trader: TestUser, price: string): Promise<string> => {
      const { data } = await trader.client.rpc('open_position', usual).throwOnError();
      server.feed.setPrice('BTCUSDT', price);
      await trader.client.rpc('close_position', { p_position_id: data.id }).throwOnError();
      return data.id;
    },
    wallet: async ({ id }: TestUser) => {
      const { rows } = await server.db.query<{ balance: number; available: number }>(
        `select balance::float, available_balance::float as available from app.wallets where user_id = $1`,
        [id],
      );
      return rows[0];
    },
    /** A second later: sets the price and waits until `probe` holds. */
    tick: async (price: string, probe: () => Promise<void>) => {
      server.clock.advance(1_000);
      server.feed.setPrice('BTCUSDT', price);
      await eventually(probe, 20);
    },
    notices: async (trader: TestUser) =>
      (await rowsOf<{ kind: string; message: string }>('notifications', trader)).map(({ kind, message }) => ({
        kind,
        message,
      })),
  };
}

/** The default reason of staff commands. */
export const reason = 'Agreed with the trader';
/** The edit of a position by staff, through the table API. */
export const edit = (by: TestUser, id: string, changes: Record<string, unknown>) =>
  by.client
    .from('positions')
    .update({ reason, ...changes })
    .eq('id', id)
    .select();

/** The parts of a refusal that tests compare. */
export const refusal = ({
  error,
  status,
}: {
  error: { code: string; message: string } | null;
  status: number;
}) => ({
  status,
  code: error?.code,
  message: error?.message,
});

export const done = ({ error }: { error: unknown }) => expect(error).toBeNull();

/** Of the file that calls `shareTradingServer`, for all of its tests. */
export let floor: TradingServer;

export function shareTradingServer(...options: Parameters<typeof startTradingServer>): void {
  beforeAll(async () => {
    floor = await startTradingServer(...options);
  });
  afterAll(() => floor.close());
}
