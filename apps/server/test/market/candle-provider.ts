/** A provider of bars under a test's control, and the environment of `candles/`: database, bus, moved time. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Tick } from '@fulcrum/contract';
import {
  ALWAYS_OPEN,
  barSpan,
  barStart,
  hourMs,
  isMarketOpen,
  nextBar,
  previousBar,
  type Timeframe,
  type TradingPair,
} from '@fulcrum/domain';
import { type Candles, createCandles } from '../../src/features/market/candles/index.ts';
import type { Bar, CandleQuery, Source } from '../../src/features/market/feed.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import type { Database } from '../../src/platform/database/index.ts';
import type { Log } from '../../src/platform/log/index.ts';
import { createTestDatabase, type TestDatabase, testLog } from '../harness/index.ts';
import { createManualTimers, type ManualTimers } from '../harness/manual-timers.ts';

export const stocks = 'America/New_York|Mon-Fri 09:30-16:00';
const pairOf: Readonly<Record<string, Pick<TradingPair, 'symbol' | 'type' | 'tradingHours'>>> = {
  BTCUSDT: { symbol: 'BTCUSDT', type: 'crypto', tradingHours: ALWAYS_OPEN },
  ETHUSDT: { symbol: 'ETHUSDT', type: 'crypto', tradingHours: ALWAYS_OPEN },
  AAPL: { symbol: 'AAPL', type: 'stock', tradingHours: stocks },
};

export interface Question extends CandleQuery {
  readonly symbol: string;
  readonly timeframe: Timeframe;
}

class CandleProvider {
  /** The requests, in order. */
  readonly requests: Question[] = [];
  sourceOf: (symbol: string) => Source | null = (symbol) => (symbol === 'AAPL' ? 'yahoo' : 'binance');
  /** Instants of which it has no bars. */
  hasNone: (instant: number) => boolean = () => false;
  /** What it does instead of answering at once. */
  before: () => Promise<void> = async () => undefined;
  /** Its answer may be spoilt. */
  spoil: (bars: Bar[]) => Bar[] = (bars) => bars;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Its bar at that time; prices tell the bar and its timeframe apart from sampled ones. */
  barAt(name: number): Bar {
    const open = 1000 + (Math.floor(name / 60_000) % 1000) / 10;
    return {
      open_time: new Date(name).toISOString(),
      open,
      high: open + 2,
      low: open - 2,
      close: open + 1,
      volume: 7,
      quote_volume: 7 * open,
    };
  }

  readonly candles = async (symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Bar[]> => {
    this.requests.push({ symbol, timeframe, ...query });
    await this.before();
    const hours = pairOf[symbol]!.tradingHours;
    const bars: Bar[] = [];
    let name = barStart(timeframe, this.#now(), hours);
    while (query.before !== null && name >= query.before) name = previousBar(timeframe, name);
    for (let steps = 0; bars.length < query.limit && steps < 20_000; steps += 1) {
      const { from } = barSpan(timeframe, name, hours);
      const isTraded = nextBar(timeframe, name) - name > hourMs || isMarketOpen(hours, from);
      if (isTraded && !this.hasNone(from)) bars.unshift(this.barAt(name));
      name = previousBar(timeframe, name);
    }
    return this.spoil(bars);
  };
}

export interface Setting {
  readonly db: TestDatabase;
  readonly timers: ManualTimers;
  readonly provider: CandleProvider;
  readonly candles: Candles;
  /** Publishes a live price at the present time. */
  tick(symbol: string, price: number, more?: Partial<Tick>): void;
  /** A later process on the same database and time. The one before has to be stopped, or counts as killed. */
  restart(): Setting;
  /** Makes every statement fail until it is called with false. */
  breakDatabase(isBroken: boolean): void;
  /** Runs between a statement and its caller, who gets the result afterwards. */
  delay(hook: (statement: string | undefined) => Promise<void>): void;
  /** Statements so far. */
  statements(): number;
}

export async function createSetting(
  start: number,
  { candleDays = 30, log = testLog }: { readonly candleDays?: number; readonly log?: Log } = {},
): Promise<Setting> {
  const db = await createTestDatabase();
  await db.asOwner(
    `insert into app.trading_pairs
     select s, s, null, 'crypto', s, 'USDT', 0.01, 1000000, 0.01, 0.01, 100, 0.01, 'UTC|Mon-Sun 00:00-24:00', 0, true
     from unnest($1::text[]) s`,
    [Object.keys(pairOf)],
  );
  let underWay = 0;
  let statements = 0;
  let isBroken = false;
  let delay: Parameters<Setting['delay']>[0] = async () => undefined;
  const counted: Database = {
    ...db,
    async query(text, values, name) {
      underWay += 1;
      statements += 1;
      try {
        if (isBroken) throw new Error('the database is away');
        const result = await db.query(text, values, name);
        await delay(name);
        return result as never;
      } finally {
        underWay -= 1;
      }
    },
  };
  const settle = async () => {
    do for (let round = 0; round < 5; round += 1) await nextRound();
    while (underWay > 0);
  };
  const timers = createManualTimers(start, settle);

  const open = (): Setting => {
    const bus = createBus(log);
    const provider = new CandleProvider(timers.now);
    const candles = createCandles({
      db: counted,
      timers,
      log,
      bus,
      feed: { candles: provider.candles, sourceOf: (symbol) => provider.sourceOf(symbol) },
      pairOf: (symbol) => pairOf[symbol] as TradingPair | undefined,
      candleDays,
    });
    candles.start();
    return {
      db,
      timers,
      provider,
      candles,
      tick(symbol, price, more = {}) {
        const now = new Date(timers.now()).toISOString();
        bus.publish('market.tick', {
          symbol,
          price,
          price_change_percent: 0,
          volume: 1e6,
          quote_volume: 1e9,
          high_24h: price,
          low_24h: price,
          source: symbol === 'AAPL' ? 'yahoo' : 'binance',
          state: 'live',
          priced_at: now,
          market_time: now,
          market_open: true,
          ...more,
        });
      },
      restart: open,
      breakDatabase: (broken) => {
        isBroken = broken;
      },
      delay: (hook) => {
        delay = hook;
      },
      statements: () => statements,
    };
  };
  return open();
}
