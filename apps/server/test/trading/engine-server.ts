/** Trading on live prices: the real market and the real engine, between providers on loopback and a real PostgreSQL. */
import type { PositionRow, SignedIn } from '@fulcrum/contract';
import { onTestFinished } from 'vitest';
import type { Market } from '../../src/features/market/index.ts';
import { createAccountCommands } from '../../src/features/staff/actions/account-commands.ts';
import { createTrading, type Trading } from '../../src/features/trading/index.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { testLog } from '../harness/index.ts';
import { type MarketServer, openMarketServer } from '../market/market-server.ts';
import { engineConfig, insertTrader, noDeletions, type Trader } from './database-engine.ts';

export interface LiveTrading extends Omit<MarketServer, 'open'> {
  readonly market: Market;
  readonly trading: Trading;
  readonly actions: ReturnType<typeof createAccountCommands>;
  addTrader(balance: string): Promise<Trader>;
  addAdmin(): Promise<SignedIn>;
  /** A BUY of 1 at leverage 10 by default. */
  open(trader: Trader, order: { readonly p_symbol: string } & Record<string, unknown>): Promise<PositionRow>;
  close(trader: Trader, positionId: string): Promise<PositionRow>;
  position(id: string): Promise<Record<string, unknown>>;
  balance(trader: Trader): Promise<number>;
  /** Resolves when all crossings of the prices so far are committed. */
  settle(): Promise<void>;
  /** As after `kill -9`: a new market and engine on the same database, between the same providers. */
  restart(config?: MarketConfig): Promise<LiveTrading>;
}

type MarketConfig = Parameters<MarketServer['open']>[0];

/** BTCUSDT is at 60,000. */
export async function openLiveTrading(): Promise<LiveTrading> {
  const setting = await openMarketServer();
  setting.exchange.set('BTCUSDT', '60000.00');
  return deskOver(setting);
}

async function deskOver(setting: MarketServer, config: MarketConfig = {}): Promise<LiveTrading> {
  const { db, timers } = setting;
  const bus = createBus(testLog);
  const market = await setting.open(config, bus);
  const trading = createTrading({
    ...{ db, bus, market, clock: timers, log: testLog, config: engineConfig },
  });
  await trading.start();
  let isOver = false;
  const stop = async (): Promise<void> => {
    if (!isOver) await trading.stop();
    isOver = true;
  };
  onTestFinished(stop);
  const { procedures } = trading;
  const actions = createAccountCommands({ db, trading, deletions: noDeletions });
  const unknownId = '00000000-0000-4000-8000-000000000000';

  return {
    ...setting,
    market,
    trading,
    actions,
    addTrader: (balance) => insertTrader(db, balance),
    addAdmin: async (): Promise<SignedIn> => {
      const { userId, caller } = await insertTrader(db, '1');
      await db.query(`update app.users set role = 'admin' where id = $1`, [userId]);
      return { ...caller, role: 'admin' };
    },
    open: async ({ caller }, order) =>
      (await procedures.open_position(caller, {
        ...{ p_side: 'BUY', p_size: 1, p_leverage: 10, p_entry_price: null },
        ...order,
      })) as PositionRow,
    close: async ({ caller }, p_position_id) =>
      (await procedures.close_position(caller, { p_position_id })) as PositionRow,
    position: async (id) => {
      const { rows } = await db.query<{ row: Record<string, unknown> }>(
        'select row_to_json(p) as row from api.positions p where id = $1',
        [id],
      );
      if (!rows[0]) throw new Error(`no position ${id}`);
      return rows[0].row;
    },
    balance: async ({ userId }) => {
      const { rows } = await db.query<{ balance: number }>(
        'select balance::float from app.wallets where user_id = $1',
        [userId],
      );
      return rows[0]?.balance ?? Number.NaN;
    },
    settle: async () => {
      const caller: SignedIn = {
        role: 'trader',
        userId: unknownId,
        accountId: unknownId,
        actorId: unknownId,
        sessionId: unknownId,
        impersonationId: null,
      };
      const request = { p_position_id: unknownId, p_wanted: false };
      // Items before a command are settled with the command.
      for (let round = 0; round < 3; round += 1) {
        await procedures.close_at_reopen(caller, request).catch((error: unknown) => error);
      }
    },
    async restart(changed) {
      await market.kill();
      await stop();
      return deskOver(setting, changed);
    },
  };
}
