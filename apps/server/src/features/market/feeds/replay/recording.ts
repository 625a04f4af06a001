/**
 * Recorded one-minute candles from CSV: `symbol,open_time,open,high,low,close,volume`, `open_time` in ms since the
 * epoch, on whole minutes, rising per symbol. The parser is strict: the first fault stops the start and names file and line,
 * because a skipped line would leave a hole to trade on. Prices are rounded to the pair's ticks here, once.
 * Known limitation: all files are held in memory, up to `candlesMax` candles (about 100 bytes each).
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BarPrices, dayMs, type MarketType, minuteMs, type TradingPair } from '@fulcrum/domain';
import { CsvError, parse } from 'csv-parse/sync';
import type { Log } from '../../../../platform/log/index.ts';
import { StartError } from '../../../../platform/start-error.ts';
import { createGrid, type Grid } from '../../grid.ts';

export interface RecordedCandle extends BarPrices {
  /** ms since the epoch; the candle lasts one minute. */
  readonly openTime: number;
  readonly volume: number;
}

export interface Recording {
  readonly symbol: string;
  readonly type: MarketType;
  readonly tradingHours: string;
  readonly ticks: Grid;
  /** 00:00 UTC of the first day: what time of day is counted from. */
  readonly midnight: number;
  /** At least one, by time. */
  readonly candles: readonly RecordedCandle[];
}

/** Index of the last candle that opened at or before an instant; -1 when none did. */
export function lastOpened({ candles }: Recording, instant: number): number {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((candles[middle]?.openTime ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

class RecordingError extends StartError {
  override readonly name = 'RecordingError';
}

const columns = ['symbol', 'open_time', 'open', 'high', 'low', 'close', 'volume'] as const;
const candlesMax = 2_000_000;
const wholeNumber = /^\d{1,16}$/;
const decimal = /^\d{1,16}(\.\d{1,16})?$/;

/** A record with the line it ends on, for messages. */
interface Row {
  readonly location: string;
  readonly cells: readonly string[];
}

/**
 * Reads every `.csv` of the folder. Symbols that are not listed are skipped with a warning.
 * @throws RecordingError when a file cannot be read as above, or when it has no listed symbol.
 */
export async function readRecordings(
  folder: string,
  pairs: readonly TradingPair[],
  log: Log,
): Promise<Recording[]> {
  const pairOf = new Map(pairs.map((pair) => [pair.symbol, pair]));
  const candlesOf = new Map<string, RecordedCandle[]>();
  const gridOf = new Map(pairs.map((pair) => [pair.symbol, createGrid(pair.tickSize)]));
  const unlisted = new Set<string>();
  let count = 0;

  for (const file of await csvFiles(folder)) {
    for (const row of rowsOf(file, await readFile(join(folder, file), 'utf8'))) {
      const [symbol = ''] = row.cells;
      const ticks = gridOf.get(symbol);
      if (!ticks) {
        unlisted.add(symbol);
        continue;
      }
      count += 1;
      if (count > candlesMax) throw new RecordingError(`${folder}: more than ${candlesMax} candles`);
      const candles = candlesOf.get(symbol) ?? [];
      candlesOf.set(symbol, candles);
      candles.push(readCandle(row, ticks, candles.at(-1)));
    }
  }
  for (const symbol of unlisted)
    log.warn({ symbol }, 'the recording has a symbol that is not listed; skipped');
  if (candlesOf.size === 0)
    throw new RecordingError(`${folder} of PRICE_FEED: no candles of a listed symbol`);

  return [...candlesOf].flatMap(([symbol, candles]) => {
    const [first] = candles;
    const pair = pairOf.get(symbol);
    if (!first || !pair) return [];
    const midnight = Math.floor(first.openTime / dayMs) * dayMs;
    const { type, tradingHours, tickSize } = pair;
    return { symbol, type, tradingHours, ticks: createGrid(tickSize), midnight, candles };
  });
}

async function csvFiles(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((file) => file.endsWith('.csv')).sort();
  } catch (cause) {
    throw new RecordingError(`PRICE_FEED: cannot read the folder ${folder}`, { cause });
  }
}

function rowsOf(file: string, text: string): Row[] {
  const parsed = parseCsv(file, text).map(({ info, record }) => ({
    location: `${file}:${info.lines}`,
    cells: record,
  }));
  const [header, ...rows] = parsed;
  if (header?.cells.join() !== columns.join()) {
    throw new RecordingError(`${file}:1: the first line must be ${columns.join()}`);
  }
  return rows;
}

function parseCsv(file: string, text: string): { info: { lines: number }; record: string[] }[] {
  try {
    return parse(text, { info: true, bom: true }) as unknown as ReturnType<typeof parseCsv>;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new RecordingError(`${file}:${cause.lines ?? '?'}: ${cause.message}`, { cause });
  }
}

function readCandle(
  { location, cells }: Row,
  ticks: Grid,
  previous: RecordedCandle | undefined,
): RecordedCandle {
  const [, time = '', ...figures] = cells;
  const openTime = wholeNumber.test(time) ? Number(time) : Number.NaN;
  if (openTime % minuteMs !== 0) {
    throw new RecordingError(`${location}: open_time must be a whole minute in ms since 1970, not '${time}'`);
  }
  if (previous && openTime <= previous.openTime) {
    throw new RecordingError(`${location}: open_time ${openTime} does not come after ${previous.openTime}`);
  }
  const [open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN, volume = Number.NaN] =
    figures.map((figure, at) => readFigure(location, columns[at + 2] ?? '', figure));
  if (high < Math.max(open, close) || low > Math.min(open, close)) {
    throw new RecordingError(`${location}: open and close must lie between low ${low} and high ${high}`);
  }
  const prices = {
    open: ticks.round(open),
    high: ticks.round(high),
    low: ticks.round(low),
    close: ticks.round(close),
  };
  if (!(prices.low > 0)) throw new RecordingError(`${location}: prices must be greater than 0`);
  return { openTime, ...prices, volume };
}

function readFigure(location: string, column: string, text: string): number {
  if (!decimal.test(text))
    throw new RecordingError(`${location}: ${column} must be a decimal number, not '${text}'`);
  return Number(text);
}
