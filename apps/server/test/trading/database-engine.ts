/**
 * The engine on a real PostgreSQL, with prices that a test sets. Traders are rows; `openWallet` creates their
 * balance, so the ledger is consistent from the start.
 */
import { randomUUID } from 'node:crypto';
import type { OrderRow, PositionRow, RowChange, SignedIn, Tick } from '@fulcrum/contract';
import { parseDecimal } from '@fulcrum/domain';
import { afterAll, beforeAll } from 'vitest';
import { createAccountCommands } from '../../src/features/staff/actions/account-commands.ts';
import { createTrading, type Trading, type TradingDependencies } from '../../src/features/trading/index.ts';
import { checkInvariants, type InvariantReport, openWallet } from '../../src/features/wallet/index.ts';
import { type Bus, createBus } from '../../src/platform/bus/index.ts';
import { createManualClock, type ManualClock } from '../../src/platform/clock/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { createTestDatabase, type TestDatabase, testLanes, testLog } from '../harness/index.ts';
import { createFakeMarket, type FakeMarket, listed, type Standing } from './fake-market.ts';

export type { FakeMarket } from './fake-market.ts';

export const usdt = (text: string): bigint => parseDecimal(text);

type OpenArgs = Parameters<Trading['procedures']['open_position']>[1];

export interface Trader {
  readonly caller: SignedIn;
  readonly userId: string;
}

export interface EngineSetup extends FakeMarket {
  readonly db: TestDatabase;
  /** Sets the price and passes it to the engine, as the market's hub does. */
  tick(symbol: string, price: string, more?: Standing): void;
  readonly clock: ManualClock;
  readonly bus: Bus;
  /** Everything announced on the bus, in order. */
  readonly changes: RowChange[];
  /** The running engine; `restart` replaces it. */
  readonly trading: Trading;
  /** Staff's commands to the engine. */
  readonly actions: AccountCommands;
  create(overrides?: Partial<TradingDependencies>): Trading;
  restart(overrides?: Partial<TradingDependencies>): Promise<void>;
  addTrader(balance: string): Promise<Trader>;
  /** Another account of that user, under the terms of main accounts (A112). */
  addAccount(of: Trader, balance: string): Promise<Trader>;
  addAdmin(): Promise<SignedIn>;
  open(trader: Trader, order?: Partial<OpenArgs>): Promise<PositionRow>;
  close(trader: Trader, positionId: string, clientId?: string): Promise<PositionRow>;
  /** A BUY of 1 BTCUSDT at 10x by default. */
  placeOrder(trader: Trader, order: Readonly<Record<string, unknown>>): Promise<OrderRow>;
  /** Resolves when everything that was queued or crossed before is decided and committed. */
  settle(): Promise<void>;
  /** Of this trader, oldest first: kind and message. */
  notices(trader: Trader): Promise<{ kind: string; message: string }[]>;
  /** What a client would read next. */
  wallet(trader: Trader): Promise<{ balance: string; available_balance: string; version: string }>;
  invariants(): Promise<InvariantReport>;
  /** Stops the engine and drops the database. */
  dispose(): Promise<void>;
}

type AccountCommands = ReturnType<typeof createAccountCommands>;
/** No user is signed in here. */
export const noDeletions = { prepare: async () => {}, abandon: () => {}, announce: async () => {} };

export const engineConfig: TradingDependencies['config'] = {
  rules: 'standard',
  priceTolerancePct: 0.5,
  tradingFeeRate: 0n,
  allowReset: true,
  engineLanes: testLanes,
  signupBalance: usdt('10000'),
};

/** The rows of the pairs of the fake market. */
export async function insertPairs(db: Database): Promise<void> {
  for (const { symbol } of listed) {
    await db.query(
      `insert into app.trading_pairs (symbol, name, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty,
                                      max_qty, step_size, trading_hours, sort_order)
       values ($1, $1, 'crypto', 'X', 'USDT', 0.00000001, 10000000, 0.01, 0.001, 1000000, 0.001, 'UTC|Mon-Sun 00:00-24:00', 0)
       on conflict (symbol) do nothing`,
      [symbol],
    );
  }
}

/** A trader with this balance, without a session. */
export async function insertTrader(db: Database, balance: string): Promise<Trader> {
  const userId = randomUUID();
  await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'trader')`, [
    userId,
    `${userId}@example.test`,
    userId,
  ]);
  await openWallet(db, { accountId: userId, initialBalance: usdt(balance) });
  return {
    userId,
    caller: {
      role: 'trader',
      userId,
      accountId: userId,
      actorId: userId,
      sessionId: randomUUID(),
      impersonationId: null,
    },
  };
}

/** A practice account of that user with this balance, and the caller who means it. */
async function insertAccount(db: Database, { userId, caller }: Trader, balance: string): Promise<Trader> {
  const accountId = `${randomUUID().slice(0, -2)}${userId.slice(-2)}`;
  await db.query(
    `insert into app.trading_accounts (id, owner_id, kind, name, rules, leverage_max, fee_rate)
     values ($1, $2, 'practice', $3, 'standard', 125, 0)`,
    [accountId, userId, accountId],
  );
  await openWallet(db, { accountId, initialBalance: usdt(balance) });
  return { userId, caller: { ...caller, accountId } };
}

/** Ends the session that holds the engine's lock in this database. */
export const killEngineConnection = (db: TestDatabase) =>
  db.asOwner(
    `select pg_terminate_backend(pid) from pg_locks
     where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())`,
  );

/** A started engine with BTCUSDT at 100 and ETHUSDT at 50. */
export async function openEngine(overrides: Partial<TradingDependencies> = {}): Promise<EngineSetup> {
  const db = await createTestDatabase();
  const clock = createManualClock(Date.parse('2026-11-21T10:00:00Z'));
  const bus = createBus(testLog);
  const changes: RowChange[] = [];
  bus.subscribe('account.changed', (event) => void changes.push(...event.changes));
  const fake = createFakeMarket();
  fake.setPrice('BTCUSDT', '100');
  fake.setPrice('ETHUSDT', '50');
  await insertPairs(db);
  const create = (more: Partial<TradingDependencies> = {}): Trading =>
    createTrading({
      db,
      clock,
      bus,
      log: testLog,
      market: fake.market,
      config: engineConfig,
      ...overrides,
      ...more,
    });
  const actionsOver = (over: Trading, more: Partial<TradingDependencies> = {}): AccountCommands =>
    createAccountCommands({ db: more.db ?? overrides.db ?? db, trading: over, deletions: noDeletions });
  let trading = create();
  let actions = actionsOver(trading);
  await trading.start();

  return {
    ...fake,
    tick: (symbol, price, more) => {
      fake.setPrice(symbol, price, more);
      bus.publish('market.tick', { symbol } as Tick);
    },
    db,
    clock,
    bus,
    changes,
    get trading() {
      return trading;
    },
    get actions() {
      return actions;
    },
    create,
    restart: async (more) => {
      await trading.stop();
      trading = create(more);
      actions = actionsOver(trading, more);
      await trading.start();
    },
    addTrader: (balance) => insertTrader(db, balance),
    addAccount: (of, balance) => insertAccount(db, of, balance),
    addAdmin: async () => {
      const userId = randomUUID();
      await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'admin')`, [
        userId,
        `${userId}@example.test`,
        userId,
      ]);
      return {
        role: 'admin',
        userId,
        accountId: userId,
        actorId: userId,
        sessionId: randomUUID(),
        impersonationId: null,
      };
    },
    open: async (trader, order = {}) =>
      (await trading.procedures.open_position(trader.caller, {
        p_symbol: 'BTCUSDT',
        p_side: 'BUY',
        p_size: 1,
        p_leverage: 10,
        p_entry_price: null,
        ...order,
      })) as PositionRow,
    close: async (trader, positionId, clientId) =>
      (await trading.procedures.close_position(trader.caller, {
        p_position_id: positionId,
        ...(clientId === undefined ? {} : { p_client_id: clientId }),
      })) as PositionRow,
    placeOrder: async (trader, order) => {
      const row = { symbol: 'BTCUSDT', side: 'BUY', size: '1', leverage: 10, ...order };
      const { rows } = await trading.writes['orders.insert'](trader.caller, [row]);
      return rows[0] as OrderRow;
    },
    settle: async () => {
      const userId = randomUUID();
      const unknown: SignedIn = {
        role: 'trader',
        userId,
        accountId: userId,
        actorId: userId,
        sessionId: userId,
        impersonationId: null,
      };
      // Items before a command are settled with the command; their crossings come before the next one.
      for (let round = 0; round < 3; round += 1) {
        await trading.procedures
          .close_position(unknown, { p_position_id: userId })
          .catch((error: unknown) => error);
      }
    },
    notices: async (trader) => {
      const { rows } = await db.query<{ kind: string; message: string }>(
        'select kind, message from app.notifications where user_id = $1 order by created_at, kind',
        [trader.userId],
      );
      return rows;
    },
    wallet: async (trader) => {
      const { rows } = await db.query<{ balance: string; available_balance: string; version: string }>(
        'select balance, available_balance, version from api.wallets where user_id = $1',
        [trader.userId],
      );
      return rows[0]!;
    },
    invariants: () => checkInvariants(db),
    dispose: async () => {
      await trading.stop();
      await db.close();
    },
  };
}

/** The codes of what was refused and the number of what was not. */
export function tally(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome =
      result.status === 'fulfilled' ? 'done' : ((result.reason as { code?: string }).code ?? 'fault');
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Of the file that calls `shareEngine`, for all of its tests. */
export let desk: EngineSetup;

export function shareEngine(...options: Parameters<typeof openEngine>): void {
  beforeAll(async () => {
    desk = await openEngine(...options);
  });
  afterAll(() => desk.dispose());
}
