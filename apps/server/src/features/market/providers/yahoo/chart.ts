/**
 * Parses the provider's chart answer: an undocumented format, so only the used fields are checked, and all others may
 * be missing or odd (recorded: no `timestamp`, `quote: [{}]`, `tradingPeriods` as an array or an object, null bars).
 * Invariant: the result is about the wanted ticker, in the wanted unit.
 */
import { texts } from '@fulcrum/contract';
import { z } from 'zod';
import type { OutboundResponse } from '../../../../platform/outbound/index.ts';
import { ChartError } from './chart-error.ts';
import type { ExpectedTicker } from './tickers.ts';

/** The provider's intervals that are requested; `bars.ts` explains why no others. */
export type Interval = '1m' | '5m' | '15m' | '1h' | '1d';

/** The address of one quote: one-minute bars of one day (FEED-20). */
export const quoteUrl = (provider: string, ticker: string): string =>
  `${provider}/v8/finance/chart/${encodeURIComponent(ticker)}?interval=1m&range=1d`;

/** Bars that begin in `[from, to)`, ms since the epoch. */
export const barsUrl = (
  provider: string,
  ticker: string,
  { interval, from, to }: { interval: Interval; from: number; to: number },
): string =>
  `${provider}/v8/finance/chart/${encodeURIComponent(ticker)}` +
  `?interval=${interval}&period1=${Math.floor(from / 1000)}&period2=${Math.ceil(to / 1000)}`;

const figure = z.number().nullable().catch(null);
const meta = z.object({
  symbol: z.string(),
  currency: z.string().nullable().catch(null),
  /** Judged by the reader of the price, also when it is absent: the message names what came (FEED-36, FEED-69). */
  regularMarketPrice: z.unknown().optional(),
  /** Seconds since the epoch. */
  regularMarketTime: figure,
  regularMarketDayHigh: figure,
  regularMarketDayLow: figure,
  regularMarketVolume: figure,
  previousClose: figure,
  chartPreviousClose: figure,
  currentTradingPeriod: z
    .object({ regular: z.object({ start: z.number(), end: z.number() }) })
    .nullable()
    .catch(null),
  range: z.string().nullable().catch(null),
});
export type ChartMeta = z.infer<typeof meta>;

const column = z.array(z.unknown()).catch([]);
const columns = z.object({ open: column, high: column, low: column, close: column, volume: column });
type ChartColumns = z.infer<typeof columns>;

const series = z.object({
  meta,
  timestamp: column,
  indicators: z.object({ quote: z.array(z.unknown()) }).catch({ quote: [] }),
});

const fault = z.object({ code: z.string(), description: z.string().nullish() });
const envelope = z.object({
  chart: z.object({ result: z.array(z.unknown()).nullish(), error: fault.nullish() }),
});
/** How the provider refuses without a chart, for instance 'Invalid Crumb'. */
const refusal = z.object({ finance: z.object({ error: fault }) });

export interface Chart {
  readonly meta: ChartMeta;
  /** Seconds since the epoch, as they came; `columns` have one entry for each. */
  readonly timestamps: readonly unknown[];
  readonly columns: ChartColumns;
}

/** Too many requests, a ban, a block, a location that is not served. */
const refusalStatuses: ReadonlySet<number> = new Set([401, 403, 418, 429, 451]);

/**
 * Whether an answer is the provider's own: a chart, or a fault that it states in the chart's form. What else comes through
 * a proxy is the proxy's.
 */
export function isProvidersOwn(response: OutboundResponse): boolean {
  try {
    const answered = envelope.safeParse(parseJson(response));
    return answered.success && Boolean(answered.data.chart.result?.length || answered.data.chart.error);
  } catch {
    return false;
  }
}

/** @throws ChartError */
export function readChart(response: OutboundResponse, expected: ExpectedTicker): Chart {
  const body = parseJson(response);
  const { status } = response;
  const isOk = status >= 200 && status < 300;
  const answered = envelope.safeParse(body);
  const error = answered.success ? answered.data.chart.error : refusal.safeParse(body).data?.finance.error;
  if (error) {
    const cause = new Error(`${error.code}: ${error.description ?? 'no description'}`);
    // Some error answers have the status 200.
    if (error.code === 'Not Found')
      throw new ChartError(
        'not-found',
        isOk ? texts.noPriceData(expected.symbol) : texts.httpError(status),
        cause,
      );
    const failure = error.code === 'Unauthorized' ? 'refused' : 'faulty';
    throw new ChartError(failure, isOk ? texts.invalidResponse : texts.httpError(status), cause);
  }
  if (!isOk) throw new ChartError('faulty', texts.httpError(status));
  if (!answered.success) throw new ChartError('faulty', texts.invalidResponse, toSchemaError(answered.error));
  const [first] = answered.data.chart.result ?? [];
  if (first === undefined) throw new ChartError('faulty', texts.noPriceData(expected.symbol));
  const read = series.safeParse(first);
  if (!read.success) throw new ChartError('faulty', texts.invalidResponse, toSchemaError(read.error));
  checkSubject(read.data.meta, expected);
  const [quote] = read.data.indicators.quote;
  return {
    meta: read.data.meta,
    timestamps: read.data.timestamp,
    columns: columns.parse(typeof quote === 'object' && quote !== null ? quote : {}),
  };
}

/** A short description of the mismatch. */
const toSchemaError = (error: z.ZodError): Error => new Error(z.prettifyError(error));

/** The JSON of an answer. @throws ChartError when the provider refuses, fails, or sends no JSON */
function parseJson({ status, headers, text }: OutboundResponse): unknown {
  // A redirect leads to the consent page.
  if (refusalStatuses.has(status) || (status >= 300 && status < 400))
    throw new ChartError('refused', texts.httpError(status));
  if (status >= 500) throw new ChartError('unreachable', texts.httpError(status));
  const message = status === 200 ? texts.invalidResponse : texts.httpError(status);
  const begin = text.trimStart().slice(0, 1);
  const { 'content-type': type = '' } = headers;
  const isPage = begin === '<' || type.startsWith('text/html');
  if (isPage) throw new ChartError('refused', message, new Error('a page instead of a chart'));
  try {
    return JSON.parse(text);
  } catch (cause) {
    // 'Too Many Requests' also comes as plain text with the status 200.
    const isProse = status === 200 && /^[a-z]/i.test(begin);
    throw new ChartError(isProse ? 'refused' : 'faulty', message, cause);
  }
}

/** @throws ChartError */
function checkSubject({ symbol, currency }: ChartMeta, expected: ExpectedTicker): void {
  if (symbol !== expected.ticker && !expected.aliases.includes(symbol)) {
    const cause = new Error(`requested ${expected.ticker}, answered about ${symbol}`);
    throw new ChartError('faulty', texts.invalidResponse, cause);
  }
  if (expected.currency !== null && currency !== expected.currency) {
    const cause = new Error(
      `${expected.ticker} is listed in ${expected.currency}, quoted in ${currency ?? 'nothing'}`,
    );
    throw new ChartError('faulty', texts.invalidResponse, cause);
  }
}
