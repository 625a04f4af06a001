/**
 * The exchange's REST interface, as far as market data goes. Every request is weighed before it is sent, and every
 * failure is a PriceError with the specified text (FEED-68 to FEED-70) and the actual fault as its cause. This module never
 * retries; the caller decides.
 * Known limitation: through a proxy (MARKET_PROXIES) the answer's age is only as true as the proxy.
 * Source: binance-spot-api-docs, rest-api.md.
 */
import { texts } from '@fulcrum/contract';
import type { Timeframe } from '@fulcrum/domain';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import type { Bar, CandleQuery, DayFigures } from '../../feed.ts';
import { PriceError } from '../../price-error.ts';
import type { Routes } from '../routes.ts';
import { dayFigures, readInstant } from './figures.ts';
import { klinesMax, readKlines } from './klines.ts';
import { ExchangeRefusalError } from './refusal.ts';
import type { Warn } from './warnings.ts';
import type { RequestPurpose, WeightBudget } from './weight.ts';

/** A price with its figures of 24 hours. */
interface DayTicker {
  readonly symbol: string;
  /** As sent; not yet known to be a price. Undefined: the answer has none. */
  readonly price: unknown;
  /** The exchange's time, ms since the epoch. */
  readonly at: number | null;
  readonly day: DayFigures | undefined;
}

export const invalidSymbolCode = -1121;

interface BinanceRest {
  /** The cheapest request there is. @throws PriceError */
  ping(): Promise<void>;
  /**
   * Fetches the last price of one symbol (FEED-08). `at` is the second of the answer, ms since the epoch, by the server's
   * clock: the answer has no time of its own. Null when the answer is undated. @throws PriceError
   */
  price(symbol: string): Promise<{ readonly price: unknown; readonly at: number | null }>;
  /** FEED-09, FEED-10: of these symbols, or of all that end in USDT, in one request. @throws PriceError */
  day(symbols: readonly string[] | 'all'): Promise<DayTicker[]>;
  /** Exchange info and 24 h figures of everything that trades, unread. @throws PriceError */
  exchange(): Promise<{ readonly exchangeInfo: unknown; readonly tickers: unknown }>;
  /** The newest bars, oldest first, at most 1000. @throws PriceError */
  klines(symbol: string, timeframe: Timeframe, query: CandleQuery): Promise<Bar[]>;
  /** Rejects running requests, whose answers no longer matter. */
  close(): void;
}

interface BinanceRestOptions {
  /** Without a trailing slash. */
  readonly url: string;
  readonly routes: Pick<Routes, 'get'>;
  readonly budget: WeightBudget;
  readonly warn: Warn;
}

const weights = { ping: 1, price: 2, exchangeInfo: 20, klines: 2 } as const;

/** As many symbols as have their 24 h figures for the least weight. */
export const cheapDaysMax = 20;
/** What the 24 h figures of so many symbols weigh. */
export function weightOfDays(symbols: number): number {
  if (symbols <= cheapDaysMax) return 2;
  return symbols <= 100 ? 40 : 80;
}
const weightOfAllDays = 80;
const answerLengthMax = 200;

export function createBinanceRest({ url, routes, budget, warn }: BinanceRestOptions): BinanceRest {
  const underWay = new Set<(reason: PriceError) => void>();

  /** Stops waiting when the feed stops; the request itself ends with the outbound connections. */
  function untilClosed<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      underWay.add(reject);
      void answer.then(resolve, reject).finally(() => underWay.delete(reject));
    });
  }

  async function fetchJson(
    path: string,
    parameters: Readonly<Record<string, string>>,
    weight: number,
    purpose: RequestPurpose,
  ): Promise<{ readonly body: unknown; readonly response: OutboundResponse }> {
    await budget.admit(weight, purpose);
    const query = new URLSearchParams(parameters).toString();
    const response = await untilClosed(
      routes.get(`${url}/api/v3/${path}${query && `?${query}`}`, 'direct-first'),
    );
    budget.recordAnswer(response);
    if (response.status !== 200) throw toRefusalError(response);
    return { body: readJson(response.text), response };
  }

  return {
    async ping() {
      const { body } = await fetchJson('ping', {}, weights.ping, 'prices');
      if (!isObject(body)) throw new PriceError(texts.invalidResponse);
    },
    async price(symbol) {
      const { body, response } = await fetchJson('ticker/price', { symbol }, weights.price, 'prices');
      if (!isObject(body)) throw new PriceError(texts.invalidResponse);
      if (body.symbol !== undefined && body.symbol !== symbol) throw new PriceError(texts.invalidResponse);
      const date = Date.parse(String(response.headers.date));
      return { price: body.price, at: Number.isNaN(date) ? null : date };
    },
    async day(symbols) {
      const isAll = symbols === 'all';
      const parameters = isAll ? {} : { symbols: JSON.stringify(symbols) };
      const weight = isAll ? weightOfAllDays : weightOfDays(symbols.length);
      const { body } = await fetchJson('ticker/24hr', parameters, weight, 'prices');
      if (!Array.isArray(body)) throw new PriceError(texts.invalidResponse);
      const tickers = body.flatMap((row) => readDayTicker(row) ?? []);
      const dropped = body.length - tickers.length;
      if (dropped > 0 && tickers.length === 0) throw new PriceError(texts.invalidResponse);
      if (dropped > 0) warn('rows without a symbol were dropped', { dropped });
      return tickers.filter(({ symbol }) => symbol.endsWith('USDT'));
    },
    async exchange() {
      // Both leave most of the answer out: what does not trade, and the accounts that may trade it.
      const parameters = { symbolStatus: 'TRADING', showPermissionSets: 'false' };
      const info = await fetchJson('exchangeInfo', parameters, weights.exchangeInfo, 'history');
      const tickers = await fetchJson('ticker/24hr', {}, weightOfAllDays, 'history');
      return { exchangeInfo: info.body, tickers: tickers.body };
    },
    async klines(symbol, timeframe, { limit, before }) {
      const parameters = {
        symbol,
        interval: timeframe,
        limit: String(Math.min(limit, klinesMax)),
        // Bars that opened at this instant are included.
        ...(before !== null && { endTime: String(before - 1) }),
      };
      const { body } = await fetchJson('klines', parameters, weights.klines, 'history');
      const { bars, dropped } = readKlines(body, timeframe);
      if (dropped > 0) warn('bars that are none were dropped', { symbol, timeframe, dropped });
      return bars.filter(({ open_time }) => before === null || Date.parse(open_time) < before).slice(-limit);
    },
    close() {
      budget.close();
      for (const reject of underWay) reject(new PriceError(texts.busy));
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws PriceError */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PriceError(texts.invalidResponse, { cause });
  }
}

/** Null when the symbol of the figures is unknown. */
function readDayTicker(row: unknown): DayTicker | null {
  if (!isObject(row) || typeof row.symbol !== 'string') return null;
  const { symbol, lastPrice, priceChangePercent, volume, quoteVolume, highPrice, lowPrice, closeTime } = row;
  return {
    symbol,
    price: lastPrice,
    at: readInstant(closeTime),
    day: dayFigures({ percent: priceChangePercent, volume, quoteVolume, high: highPrice, low: lowPrice }),
  };
}

function toRefusalError({ status, text }: OutboundResponse): ExchangeRefusalError {
  let code: number | null = null;
  let answerText = text.slice(0, answerLengthMax);
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body) && typeof body.code === 'number') {
      code = body.code;
      answerText = `${body.code}: ${String(body.msg).slice(0, answerLengthMax)}`;
    }
  } catch {
    // A page of a firewall instead of an error of the exchange: its beginning helps operators.
  }
  return new ExchangeRefusalError(status, code, answerText);
}
