import { ALWAYS_OPEN, barStart, dayMs, hourMs, minuteMs, timeframes } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from '../../catalogue/index.ts';
import type { Bar, CandleQuery } from '../../feed.ts';
import { createGrid } from '../../grid.ts';
import { createRecordedBars } from './bars.ts';
import type { RecordedCandle, Recording } from './recording.ts';
import { walkedUntil } from './walk.ts';

/** Over a hundred days and a change of the clocks, every 13 minutes, with a hole of a day every so often. */
function longRecording(symbol: string): Recording {
  const pair = catalogue.find((listed) => listed.symbol === symbol)!;
  const ticks = createGrid(pair.tickSize);
  const begin = Date.UTC(2022, 1, 25, 21, 3);
  const candles: RecordedCandle[] = [];
  let price = 1.1;
  for (let openTime = begin; openTime < begin + 100 * dayMs; openTime += 13 * minuteMs) {
    const swing = Math.sin(openTime / 7e6) * 0.004;
    if (Math.floor(openTime / dayMs) % 9 === 4) continue;
    const [open, close] = [ticks.round(price), ticks.round(price * (1 + swing))];
    const high = ticks.round(Math.max(open, close) * 1.001);
    const low = ticks.round(Math.min(open, close) * 0.999);
    const volume = Math.round((2 + Math.sin(openTime)) * 1e8) / 1e8;
    candles.push({ openTime, open, high, low, close, volume });
    price *= 1 + swing;
  }
  return {
    symbol,
    type: pair.type,
    tradingHours: pair.tradingHours,
    ticks,
    midnight: Date.UTC(2022, 1, 25),
    candles,
  };
}

/** The plain way: every candle into the bar that it lies in. */
function naive(
  recording: Recording,
  now: number,
  timeframe: (typeof timeframes)[number],
  query: CandleQuery,
) {
  const bars = new Map<string, Bar>();
  for (const recorded of recording.candles) {
    if (recorded.openTime > now) break;
    const candle = walkedUntil(recorded, now - recorded.openTime, recording);
    const start = barStart(timeframe, recorded.openTime, recording.tradingHours);
    if (query.before !== null && start >= query.before) continue;
    const open_time = new Date(start).toISOString();
    const quote = (candle.volume * (candle.high + candle.low + candle.close)) / 3;
    const bar = bars.get(open_time);
    bars.set(open_time, {
      open_time,
      open: bar?.open ?? candle.open,
      high: Math.max(bar?.high ?? 0, candle.high),
      low: Math.min(bar?.low ?? Infinity, candle.low),
      close: candle.close,
      volume: (bar?.volume ?? 0) + candle.volume,
      quote_volume: (bar?.quote_volume ?? 0) + quote,
    });
  }
  return [...bars.values()].slice(-query.limit);
}
const prices = (bars: readonly Bar[]) =>
  bars.map(({ open_time, open, high, low, close }) => ({ open_time, open, high, low, close }));

test.each(['BTCUSDT', 'EUR/USD', 'AAPL', 'XAUUSD'])('bars of %s are those of the plain way', (symbol) => {
  const recording = longRecording(symbol);
  const bars = createRecordedBars(recording);
  const first = recording.candles[0]!.openTime;
  const moments = [
    first - 1,
    first,
    first + 30 * hourMs + 5_000,
    first + 50 * dayMs + 7 * hourMs,
    first + 400 * dayMs,
  ];
  for (const now of moments) {
    for (const timeframe of timeframes) {
      for (const before of [null, first + 40 * dayMs + 11 * hourMs, Date.UTC(2022, 3, 1)]) {
        const query = { limit: 400, before };
        const made = bars.at(now, timeframe, query);
        const expected = naive(recording, now, timeframe, query);
        expect(prices(made)).toEqual(prices(expected));
        for (const [index, bar] of made.entries()) {
          expect(bar.volume).toBeCloseTo(expected[index]!.volume, 6);
          expect(bar.quote_volume).toBeCloseTo(expected[index]!.quote_volume, 4);
        }
      }
    }
  }
});

test('the volumes of a long bar are the sums of its minutes, typical price for typical price', () => {
  const recording = longRecording('AAPL');
  const bars = createRecordedBars(recording);
  const now = recording.candles.at(-1)!.openTime + dayMs;
  const minutes = bars.at(now, '1m', { limit: 1_000_000, before: null });
  for (const timeframe of ['5m', '1h', '1d', '1w', '1M'] as const) {
    const sums = new Map<string, { volume: number; quote: number }>();
    for (const minute of minutes) {
      const start = barStart(timeframe, Date.parse(minute.open_time), recording.tradingHours);
      const name = new Date(start).toISOString();
      const sum = sums.get(name) ?? { volume: 0, quote: 0 };
      sums.set(name, { volume: sum.volume + minute.volume, quote: sum.quote + minute.quote_volume });
    }
    const made = bars.at(now, timeframe, { limit: 1_000_000, before: null });
    expect(made.map(({ open_time }) => open_time)).toEqual([...sums.keys()]);
    for (const { open_time, volume, quote_volume } of made) {
      expect(volume).toBeCloseTo(sums.get(open_time)!.volume, 7);
      expect(quote_volume).toBeCloseTo(sums.get(open_time)!.quote, 6);
    }
  }
});

test('pages of bars lie seamlessly beside one another', () => {
  const recording = longRecording('EUR/USD');
  const bars = createRecordedBars(recording);
  const now = recording.candles.at(-1)!.openTime;
  for (const timeframe of timeframes) {
    const all = bars.at(now, timeframe, { limit: 500, before: null });
    const paged: Bar[] = [];
    let before: number | null = null;
    while (paged.length < all.length) {
      const page: Bar[] = bars.at(now, timeframe, { limit: 7, before });
      if (page.length === 0) break;
      paged.unshift(...page);
      before = Date.parse(page[0]!.open_time);
    }
    expect(paged.slice(-all.length)).toEqual(all);
  }
});

test('a trading day that begins in the evening before carries the name of its date', () => {
  const forex = longRecording('EUR/USD');
  const days = createRecordedBars(forex).at(Date.UTC(2022, 2, 1, 23), '1d', { limit: 10, before: null });
  // 23:00 UTC on 1 March is 18:00 in New York: forex's 2 March.
  expect(days.at(-1)!.open_time).toBe('2022-03-02T00:00:00.000Z');
  expect(barStart('1d', Date.UTC(2022, 2, 1, 23), ALWAYS_OPEN)).toBe(Date.UTC(2022, 2, 1));
});
