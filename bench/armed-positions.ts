/**
 * Generated positions with triggers, armed by `ticks.ts` and its memory probe. Each has a liquidation price, a stop
 * loss, a take profit and a margin warning, so four triggers; none is within 1 % of the price of the ticks.
 */
import { randomUUID } from 'node:crypto';
import {
  asFeeRate,
  asMoney,
  asPrice,
  asSize,
  mainRulesOf,
  netLiquidationPrice,
  orderValue,
  type Position,
  type Price,
  parseDecimal,
  requiredMargin,
  triggersOf,
} from '@fulcrum/domain';
import type { Store, StoredAccount, WaitingPage } from '../apps/server/src/features/trading/engine/store.ts';
import { TriggerIndex, triggerKinds } from '../apps/server/src/features/trading/triggers/trigger-index.ts';

export const symbol = 'BTCUSDT';
/** In whole USDT; ticks move less than 1 % around it. */
export const restingPrice = 60_000;
export const triggersPerPosition = 4;

const cents = (usdt: number): Price => asPrice(parseDecimal(usdt.toFixed(2)));
const size = asSize(parseDecimal('0.01'));
const tickSize = cents(0.01);
const noFee = asFeeRate(0n);
const openedAt = Date.UTC(2026, 10, 21);

/** The `n`th one, every second one a net position: the same prices every time, spread so that no two neighbours share one; ids are random uuids. */
export function createArmedPosition(n: number, accountId: string): Position {
  const side = n % 2 === 0 ? 'BUY' : 'SELL';
  const leverage = 2 + (n % 19);
  // Up to 0.5 % from the resting price, in cents.
  const entry = restingPrice - 300 + (n % 60_000) / 100;
  const away = (share: number): Price => cents(entry * (side === 'BUY' ? 1 - share : 1 + share));
  const entryPrice = cents(entry);
  const terms = { side, entryPrice, leverage, size } as const;
  const margin = requiredMargin(entryPrice, size, leverage);
  const entryValue = n % 4 < 2 ? null : orderValue(entryPrice, size);
  return {
    ...terms,
    id: randomUUID(),
    accountId,
    symbol,
    entryValue,
    margin,
    liquidationPrice:
      entryValue === null
        ? mainRulesOf('standard').liquidationPrice({ ...terms, tickSize, feeRate: noFee })
        : netLiquidationPrice({ ...terms, entryValue, margin }, 'crypto', tickSize),
    stopLossPrice: away(0.025 + (n % 97) / 10_000),
    takeProfitPrice: away(-0.025 - (n % 89) / 1_000),
    initialStopLossPrice: null,
    rules: entryValue === null ? 'standard' : 'perpetual',
    feeRate: noFee,
    fees: asMoney(0n),
    funding: asMoney(0n),
    fundedAt: null,
    splitFrom: null,
    marginWarned: false,
    closeAtReopen: false,
    createdAt: openedAt,
    updatedAt: openedAt,
    editedAt: null,
    closing: null,
    version: 1,
    accountVersion: 1,
  };
}

/** An index with so many triggers of these positions. */
export function createArmedIndex(triggers: number): TriggerIndex {
  const index = new TriggerIndex(triggerKinds);
  const accountId = randomUUID();
  for (let n = 0; n < triggers / triggersPerPosition; n += 1) {
    const position = createArmedPosition(n, accountId);
    for (const trigger of triggersOf(position)) index.arm({ ...trigger, id: position.id, accountId, symbol });
  }
  return index;
}

const pageSize = 5_000;
const unused = (): never => {
  throw new Error('a tick that crosses nothing reads and writes nothing');
};

/** What the engine arms at its start, page by page; it never gets to write. */
export class ArmedPositionStore implements Store {
  readonly epoch = 1;
  readonly #positions: number;
  readonly #users: readonly string[];

  /** So many positions of as many traders as there are ids. */
  constructor(positions: number, users: readonly string[]) {
    this.#positions = positions;
    this.#users = users;
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
  async take(): Promise<void> {}
  async give(): Promise<void> {}
  async ready(): Promise<void> {}
  async readWaiting(_slots: readonly number[], from: string | null): Promise<WaitingPage> {
    const start = Number(from ?? 0);
    const end = Math.min(start + pageSize, this.#positions);
    const positions = Array.from({ length: end - start }, (_, i) => this.#position(start + i));
    const next = end < this.#positions ? String(end) : null;
    // Each trades on terms of its own.
    return { positions, orders: [], apart: new Set(this.#users), next };
  }
  readonly commit = unused;
  readonly isWritten = unused;
  writeChallenges(): Promise<void> {
    return unused();
  }
  async readChallengeIds() {
    return [];
  }
  readAccounts(_accountIds: readonly string[]): Promise<readonly StoredAccount[]> {
    return unused();
  }
  readonly readAccountIds = unused;
  readonly readPositions = unused;
  readonly readOrders = unused;
  readonly readAnswers = unused;

  #position(n: number): Position {
    return createArmedPosition(n, this.#users[n % this.#users.length] ?? randomUUID());
  }
}
