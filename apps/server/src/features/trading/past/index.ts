/**
 * A past for accounts of the demo: the engine itself, over a store in memory, under a clock that the caller moves and with
 * prices that the caller gives. What it decides is written by the same statement as every batch, all of a past in one
 * transaction, and the serving engine then reads the accounts again.
 *
 * Invariants: every row of a past follows from the engine's decisions; a past is written whole or not at all, and only for
 * accounts that nobody changed meanwhile (the version of the wallet, `engine_write_v<n>`).
 *
 * Known limitation: the ids of the ledger give the order of writing, so a past stands behind what was written before it.
 */
import { AppError } from '@fulcrum/contract';
import {
  type AccountTerms,
  asPrice,
  balanceOf,
  type Command,
  equityOf,
  isWaiting,
  type MarketView,
  type Money,
  minuteMs,
  type Order,
  type Position,
  type Price,
  toDecimalString,
} from '@fulcrum/domain';
import { createBus } from '../../../platform/bus/index.ts';
import { createManualClock } from '../../../platform/clock/index.ts';
import type { Database, Queryable } from '../../../platform/database/index.ts';
import { idOfHour } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log/index.ts';
import type { EngineDependencies } from '../engine/dependencies.ts';
import { Engine } from '../engine/engine.ts';
import { defaultLimits } from '../engine/limits.ts';
import { type AccountRow, accountOf, accountsQuery, hasWallet } from '../engine/rows.ts';
import type { Answer, StoredAccount } from '../engine/store.ts';
import { writeStatement } from '../engine/write.ts';
import { RecordedStore } from './recorded-store.ts';

/** A market without a price for longer is shut at that moment. */
const openForMs = 15 * minuteMs;

/** A batch is written under the epoch of its account's engine, so it changes one account. */
const oneAccountBatches = { batch: 1, crossings: 1 };

interface PastDependencies extends Pick<EngineDependencies, 'rules' | 'priceTolerance'> {
  readonly mainTerms: AccountTerms;
  readonly db: Database;
  readonly log: Log;
  readonly pair: MarketView['pair'];
  /** Of the serving engines: the epoch that may write an account, and what makes them read accounts again. */
  readonly engine: { epochOf(accountId: string): number; reload(accountIds: Iterable<string>): void };
}

export interface Past {
  /** A price at an instant (ms since the epoch), never before the last one. Resolves when everything that it crossed is decided. */
  tick(symbol: string, price: Price, at: number): Promise<void>;
  /** A command of the account's owner at an instant. @throws AppError when it is refused */
  submit(accountId: string, command: Command, at: number): Promise<Answer>;
  /** The equity of each account with an open position, as the hourly snapshots record it (A108). */
  recordEquity(at: number): void;
  /** Open ones and waiting ones. */
  account(accountId: string): StoredAccount;
  /** The position that an order opened; null for another order. */
  positionOf(orderId: string): string | null;
  position(id: string): Position | undefined;
  /** Prices at which something of the symbol acts; the order is arbitrary. */
  levels(symbol: string): Price[];
  /** Symbols with something open or waiting. */
  symbols(): ReadonlySet<string>;
  /** Writes everything, with `alongside` in the same transaction. @throws where an account has changed since `begin` */
  write(alongside: (tx: Queryable) => Promise<void>): Promise<void>;
}

interface EquityRow {
  readonly accountId: string;
  readonly at: number;
  readonly balance: Money;
  readonly equity: Money;
}

const insertEquity = `
  insert into app.equity_snapshots (user_id, at, balance, equity)
  select * from unnest($1::uuid[], $2::timestamptz[], $3::numeric[], $4::numeric[])
  on conflict (user_id, at) do nothing`;

/** Begins a past of these accounts, as they are stored. */
export async function beginPast(
  deps: PastDependencies,
  accountIds: readonly string[],
  start: number,
): Promise<Past> {
  const { db, log, pair, rules, mainTerms, priceTolerance } = deps;
  const { rows } = await db.query<AccountRow>(accountsQuery, [accountIds, null]);
  const store = new RecordedStore(rows.map((row) => accountOf(row, mainTerms)).filter(hasWallet));
  const clock = createManualClock(start);
  const prices = new Map<string, { readonly price: Price; readonly at: number }>();
  const equityRows: EquityRow[] = [];
  const marketAt = (now: number): MarketView => ({
    pair,
    quote: (symbol) => {
      const last = prices.get(symbol);
      return last && { price: last.price, stale: false, held: false, marketOpen: now - last.at <= openForMs };
    },
  });
  const engine = new Engine({
    ...{ store, clock, log, marketAt, rules, priceTolerance },
    newId: () => idOfHour(clock.now()),
    limits: { ...defaultLimits, ...oneAccountBatches },
    bus: createBus(log),
  });
  await engine.start();

  const openPositions = (): Position[] => [...store.positions].filter(({ closing }) => closing === null);
  const waitingOrders = (): Order[] => [...store.orders].filter(({ status }) => isWaiting(status));

  return {
    async tick(symbol, price, at) {
      clock.set(at);
      prices.set(symbol, { price: asPrice(price), at });
      engine.tick(symbol);
      if (engine.settled() !== null) await engine.idle();
    },
    async submit(accountId, command, at) {
      clock.set(at);
      const origin = { accountId, ownerId: accountId, actorId: accountId, authority: null, reason: null };
      const answer = await engine.submit(origin, command, null);
      await engine.idle();
      return answer;
    },
    recordEquity(at) {
      const market = marketAt(at);
      for (const accountId of new Set(openPositions().map((position) => position.accountId))) {
        const { wallet, positions } = store.account(accountId);
        equityRows.push({
          accountId,
          at,
          balance: balanceOf(wallet),
          equity: equityOf(wallet, positions, market),
        });
      }
    },
    account: (accountId) => store.account(accountId),
    positionOf: (orderId) => [...store.orders].find(({ id }) => id === orderId)?.positionId ?? null,
    position: (id) => [...store.positions].find((position) => position.id === id),
    levels: (symbol) => [
      ...openPositions()
        .filter((position) => position.symbol === symbol)
        .flatMap(({ liquidationPrice, stopLossPrice, takeProfitPrice }) =>
          [liquidationPrice, stopLossPrice, takeProfitPrice].filter((level) => level !== null),
        ),
      ...waitingOrders()
        .filter((order) => order.symbol === symbol)
        .flatMap(({ price }) => (price === null ? [] : [price])),
    ],
    symbols: () => new Set([...openPositions(), ...waitingOrders()].map(({ symbol }) => symbol)),
    async write(alongside) {
      const halted = engine.state().halted;
      if (halted !== null) throw new AppError('trading_halted', halted);
      await db.transaction(async (tx) => {
        for (const batch of store.batches) {
          const [wallet] = batch.wallets;
          if (!wallet) continue;
          const { text, values, name } = writeStatement(batch, deps.engine.epochOf(wallet.after.accountId));
          await tx.query(text, values, name);
        }
        await tx.query(insertEquity, [
          equityRows.map(({ accountId }) => accountId),
          equityRows.map(({ at }) => new Date(at)),
          equityRows.map(({ balance }) => toDecimalString(balance)),
          equityRows.map(({ equity }) => toDecimalString(equity)),
        ]);
        await alongside(tx);
      });
      deps.engine.reload(store.accountIds);
    },
  };
}
