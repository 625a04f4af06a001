/**
 * Market data of `/fapi`: the market's own prices, books, bars and trades in Binance's rows. A symbol without a price is in no list.
 * Bars are those that a visitor without a session reads; their reads wait in a queue that is fair to addresses.
 */
import { AppError, type Timeframe, texts } from '@fulcrum/contract';
import { depthLimits, type marketDataRoutes } from '@fulcrum/contract/exchange';
import type { QuotedBook } from '@fulcrum/domain';
import type { Market, MarketPrice } from '../../../features/market/index.ts';
import { defaultProfile } from '../../../features/trading/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { defaultLimits } from '../../../platform/limits/index.ts';
import { rateLimitAddress } from '../../../platform/rate-limit/address.ts';
import { ExchangeError } from '../errors.ts';
import type { HandlersOf } from '../handlers.ts';
import { rateLimits } from '../rate-limits.ts';
import type { ListedContract, Listing, Symbols } from '../symbols.ts';
import { type ContractRow, settlementAssets, toContractRow } from './exchange-info.ts';
import { fundingHistory, toFundingInfo } from './funding.ts';
import { type Kline, type KlinesQuery, readKlines, toIndexKline, toKline, toPremiumKline } from './klines.ts';
import { contractsByTimetable, sessionsOfWeek } from './schedule.ts';
import { toBookTicker, toDayTicker, toDepth, toPremiumIndex, toPriceTicker } from './tickers.ts';
import { numberTrades, selectTrades, type TradesQuery, toAggregate, toTrade } from './trades.ts';

export type DoorMarket = Pick<
  Market,
  'pairs' | 'isListed' | 'price' | 'quotes' | 'procedures' | 'honoursHours' | 'recordedSymbols'
>;

/** Reads of bars for callers without a key, as those of visitors. */
const chartLimits = { runningMax: 4, runningOfOneMax: 2, waitingMax: 400, waitingOfOneMax: 100 };
const visitor = { role: 'anon' } as const;

export function createMarketDataHandlers({
  market,
  clock,
  symbols,
}: {
  readonly market: DoorMarket;
  readonly clock: Clock;
  readonly symbols: Symbols;
}): HandlersOf<typeof marketDataRoutes> {
  const { listing, contractOf } = symbols;
  const contractRows = createContractRows(market, listing);
  const withChartSlot = createFairQueue(chartLimits);

  function requirePrice({ pair: { symbol } }: ListedContract): MarketPrice {
    const price = market.price(symbol);
    if (!price) throw new AppError('no_price', texts.noCurrentPrice(symbol));
    return price;
  }

  /** One row of the symbol that was sent, else those of all that have one. */
  function rows<Row>(id: string | undefined, toRow: (contract: ListedContract) => Row | null): Row | Row[] {
    if (id === undefined) return listing().all.flatMap((contract) => toRow(contract) ?? []);
    const contract = contractOf(id);
    requirePrice(contract);
    const row = toRow(contract);
    if (row === null) throw new AppError('no_quote', texts.noQuote(contract.pair.symbol));
    return row;
  }

  const priced = <Row>(toRow: (contract: ListedContract, price: MarketPrice) => Row) => {
    return (contract: ListedContract): Row | null => {
      const price = market.price(contract.pair.symbol);
      return price ? toRow(contract, price) : null;
    };
  };

  const tradesOf = ({ pair }: ListedContract) => numberTrades(market.quotes.trades(pair.symbol));
  const selected = (id: string, query: TradesQuery) => {
    const contract = contractOf(id);
    return { pair: contract.pair, trades: selectTrades(tradesOf(contract), query) };
  };

  async function klines<Row>(
    id: string,
    query: KlinesQuery,
    address: string,
    toRow: (bar: Kline, pair: ListedContract['pair']) => Row,
  ): Promise<Row[]> {
    const { pair } = contractOf(id);
    const read = (p_timeframe: Timeframe, p_limit: number, before: number | null) =>
      market.procedures.get_candles(visitor, {
        p_symbol: pair.symbol,
        ...{ p_timeframe, p_limit },
        p_before: before === null ? null : new Date(before).toISOString(),
      });
    const bars = await withChartSlot(rateLimitAddress(address), () => readKlines(read, query, clock.now()));
    return bars.map((bar) => toRow(bar, pair));
  }

  return {
    exchangeInfo: () => ({
      timezone: 'UTC',
      serverTime: clock.now(),
      futuresType: 'U_MARGINED',
      rateLimits: rateLimits(defaultLimits),
      exchangeFilters: [],
      assets: settlementAssets,
      symbols: contractRows(),
    }),
    depth({ params: { symbol, limit } }) {
      const levels = depthLimits.find((known) => String(known) === limit);
      if (levels === undefined) throw new ExchangeError(400, -4021, 'Invalid depth limit.');
      const contract = contractOf(symbol);
      requirePrice(contract);
      const now = clock.now();
      const book = market.quotes.book(contract.pair.symbol, defaultProfile, now);
      if (!book) throw new AppError('no_quote', texts.noQuote(contract.pair.symbol));
      return toDepth(contract, book, levels, now);
    },
    ticker24hr: ({ params: { symbol } }) =>
      rows(
        symbol,
        priced((contract, price) => toDayTicker(contract, price, tradesOf(contract))),
      ),
    bookTicker: ({ params: { symbol } }) =>
      rows(symbol, (contract) => {
        const { quotes } = market;
        const read: (...query: Parameters<typeof quotes.book>) => QuotedBook | undefined =
          symbol === undefined ? quotes.peek : quotes.book;
        const book = read(contract.pair.symbol, defaultProfile, clock.now());
        return book ? toBookTicker(contract, book) : null;
      }),
    priceTicker: ({ params: { symbol } }) => rows(symbol, priced(toPriceTicker)),
    premiumIndex: ({ params: { symbol } }) =>
      rows(
        symbol,
        priced((contract, price) => toPremiumIndex(contract, price, clock.now())),
      ),
    fundingRate: ({ params: { symbol, ...query } }) =>
      fundingHistory(symbol === undefined ? listing().all : [contractOf(symbol)], query, clock.now()),
    fundingInfo: () => listing().all.map((contract) => toFundingInfo(contract, clock.now())),
    klines: ({ params: { symbol, ...query }, address }) => klines(symbol, query, address, toKline),
    continuousKlines: ({ params: { pair, ...query }, address }) => klines(pair, query, address, toKline),
    indexPriceKlines: ({ params: { pair, ...query }, address }) => klines(pair, query, address, toIndexKline),
    markPriceKlines: ({ params: { symbol, ...query }, address }) =>
      klines(symbol, query, address, toIndexKline),
    premiumIndexKlines: ({ params: { symbol, ...query }, address }) =>
      klines(symbol, query, address, toPremiumKline),
    trades({ params: { symbol, limit } }) {
      const { pair, trades } = selected(symbol, { limit });
      return trades.map((trade) => toTrade(trade, pair));
    },
    historicalTrades({ params: { symbol, ...query } }) {
      const { pair, trades } = selected(symbol, query);
      return trades.map((trade) => toTrade(trade, pair));
    },
    aggTrades({ params: { symbol, ...query } }) {
      const { pair, trades } = selected(symbol, query);
      return trades.map((trade) => toAggregate(trade, pair));
    },
    tradingSchedule() {
      const now = clock.now();
      const schedules = [...contractsByTimetable(listing())].flatMap(([name, contracts]) => {
        const shutting = contracts.filter(({ pair }) => market.honoursHours(pair.symbol));
        const [first] = shutting;
        if (!first || first.pair.type === 'crypto') return [];
        const sessions = sessionsOfWeek(first.pair.tradingHours, now);
        return [[name, { symbols: shutting.map(({ id }) => id), sessions }] as const];
      });
      return { updateTime: now, marketSchedules: Object.fromEntries(schedules) };
    },
  };
}

/** Built once, and again when the list of pairs changes, or what a recording has of them. */
function createContractRows(market: DoorMarket, listing: () => Listing): () => ContractRow[] {
  let built: { readonly of: Listing; readonly recorded: string; readonly rows: ContractRow[] } | null = null;
  return () => {
    const of = listing();
    const recorded = market.recordedSymbols();
    const key = recorded === null ? 'all' : recorded.join(' ');
    if (built?.of === of && built.recorded === key) return built.rows;
    const played = recorded && new Set(recorded);
    const underlyingType = new Map(
      [...contractsByTimetable(of)].flatMap(([name, contracts]) =>
        contracts.map(({ id }) => [id, name] as const),
      ),
    );
    const rows = of.all.map((contract) => {
      const { symbol } = contract.pair;
      return toContractRow(contract, {
        isTrading: market.isListed(symbol) && (played === null || played.has(symbol)),
        underlyingType: underlyingType.get(contract.id) ?? 'COIN',
      });
    });
    built = { of, recorded: key, rows };
    return rows;
  };
}
