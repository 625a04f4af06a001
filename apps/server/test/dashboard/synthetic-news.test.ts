import { newsCategories, newsItem } from '@fulcrum/contract';
import { dayMs, hourMs, minuteMs, priceDecimals } from '@fulcrum/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listPublications } from '../../src/features/dashboard/synthetic-content/calendar.ts';
import type { Draft } from '../../src/features/dashboard/synthetic-content/drafts.ts';
import { createDraws } from '../../src/features/dashboard/synthetic-content/draws.ts';
import {
  type FollowedMarket,
  followedSymbols,
  type MarketSnapshot,
} from '../../src/features/dashboard/synthetic-content/followed-markets.ts';
import { findJumps, getJumpThreshold } from '../../src/features/dashboard/synthetic-content/jumps.ts';
import { tenDrafts, tenNews } from '../../src/features/dashboard/synthetic-content/news.ts';
import type {
  HistoryBar,
  PriceHistory,
} from '../../src/features/dashboard/synthetic-content/price-history.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';

const quarterMs = 15 * minuteMs;
/** A Wednesday on which New York trades. */
const now = Date.UTC(2026, 10, 18, 16, 7);
const draws = createDraws('a seed');
const pairs = followedSymbols.map((symbol, sortOrder) => {
  const listing = catalogue.find((one) => one.symbol === symbol) ?? expect.unreachable();
  return { ...listing, id: symbol, sortOrder };
});

/** Draws between -2 and 2: the generator's own are too dear for a walk of every market. */
function quickly(name: string): () => number {
  let state = Math.floor(createDraws('walk').unit(name) * 2 ** 32);
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 4;
  };
}

/** A walk of `count` bars up to `end`; `wildness` is the deviation of a bar in per cent of a typical one. */
function walk(
  symbol: string,
  end: number,
  lengthMs: number,
  count: number,
  wildness: number,
  seed = '',
): PriceHistory {
  const random = quickly(`${seed} ${symbol}`);
  const typical = catalogue.find((one) => one.symbol === symbol)?.typical ?? expect.unreachable();
  const first = Math.floor(end / lengthMs) * lengthMs - (count - 1) * lengthMs;
  let price = typical.price;
  return Array.from({ length: count }, (_, index): HistoryBar => {
    const open = price;
    const close = open * (1 + (random() * wildness * typical.dailyVolatilityPct) / 1_000);
    price = close;
    const from = first + index * lengthMs;
    return {
      from,
      to: from + lengthMs,
      open,
      close,
      high: Math.max(open, close) * (1 + Math.abs(random()) / 4_000),
      low: Math.min(open, close) * (1 - Math.abs(random()) / 4_000),
      turnover: 1e6 * typical.turnoverMillions * (lengthMs / dayMs),
    };
  });
}

function readingOf(at: number, historyOf: (symbol: string) => PriceHistory): MarketSnapshot {
  const markets = pairs.map((pair): FollowedMarket => {
    const history = historyOf(pair.symbol);
    const threshold = getJumpThreshold(history, pair.type, at);
    const question = { history, threshold, now: at, spanMs: 12 * hourMs, minutesOf: () => undefined };
    return { pair, history, jumpThreshold: threshold, jumps: findJumps(question), daySnapshots: [] };
  });
  return { now: at, markets, dayPercents: new Map() };
}
const walks = (at: number, wildness = 1, seed = '') =>
  readingOf(at, (symbol) => walk(symbol, at, quarterMs, 320, wildness, seed));

/** Figures of the bars, computed without the generator's own functions. */
const lastClose = (history: PriceHistory, at: number) =>
  history.filter(({ to }) => to <= at).at(-1)?.close ?? Number.NaN;

function contradictions(draft: Draft, reading: MarketSnapshot): string[] {
  const found: string[] = [];
  const figures: readonly string[] = draft.headline.replaceAll(',', '').match(/\d+(\.\d+)?/g) ?? [];
  const states = (value: number, decimals: number) =>
    figures.includes(Math.abs(value).toFixed(decimals)) || figures.includes(`${Math.abs(value)}`);
  for (const stated of draft.stated) {
    const market = reading.markets.find(({ pair }) => pair.symbol === stated.symbol) ?? expect.unreachable();
    const { history, pair } = market;
    const now = history.at(-1)?.close ?? Number.NaN;
    const percents = pair.type === 'forex' ? 2 : 1;
    if (stated.is === 'price') {
      const closes = history
        .filter(({ from, to }) => to === stated.at || (from === stated.at && to > reading.now))
        .map(({ close }) => close);
      const isTrue =
        draft.angle === 'jump'
          ? closes.includes(stated.value)
          : lastClose(history, stated.at) === stated.value;
      const isStated = /\d/.test(draft.headline) && states(stated.value, priceDecimals(pair));
      if (!isTrue || (!isStated && draft.angle !== 'day')) found.push('price');
    }
    if (stated.is === 'change') {
      const change =
        (lastClose(history, stated.at) / lastClose(history, stated.at - stated.spanMs) - 1) * 100;
      const isFlat = /little changed/.test(draft.headline);
      if (Math.abs(change - stated.value) > 1e-9) found.push('change');
      if (!isFlat && !states(change, percents)) found.push('change not stated');
      const isUp = /\b((?<!gives )up|higher|above|adds?|gains?|lifts|leads|ahead)\b/.test(draft.headline);
      const isDown = /\b(down|lower|below|slips|eases|gives up|loses|loss|cost)\b/.test(draft.headline);
      if (draft.symbol === stated.symbol && draft.angle.match(/hour|day|midnight|opened/) && isUp === isDown)
        found.push('both ways');
      if (draft.angle.match(/^(hour|six hours|day|since midnight|opened)$/) && isUp !== change > 0)
        found.push('wrong way');
    }
    if (stated.is === 'level' && (stated.side === 'above' ? now <= stated.value : now >= stated.value))
      found.push('level');
    if (stated.is === 'range' && /high of|low of|between|range of .*to/.test(draft.headline)) {
      const bars = history.filter(({ from, to }) => to <= stated.at && from >= stated.at - stated.spanMs);
      const ends = [Math.max(...bars.map(({ high }) => high)), Math.min(...bars.map(({ low }) => low))];
      if (stated.spanMs === dayMs && !ends.some((end) => states(end, priceDecimals(pair))))
        found.push('range');
    }
  }
  return found;
}

describe('the ten items', () => {
  test('DASH-33, DASH-34: ten of the stated shape, the newest first, of all four categories, at any hour', () => {
    for (let hour = 0; hour < 7 * 24; hour += 17) {
      const at = now + hour * hourMs + 3 * minuteMs;
      const items = tenNews(draws, walks(at));
      expect(items).toHaveLength(10);
      for (const item of items) newsItem.parse(item);
      const ats = items.map((item) => item.at);
      expect(ats).toEqual([...ats].sort().reverse());
      expect(Date.parse(ats[0] ?? '')).toBeLessThanOrEqual(at);
      expect(new Set(items.map(({ headline }) => headline)).size).toBe(10);
      expect(new Set(items.map(({ category }) => category))).toEqual(new Set(newsCategories));
    }
  });

  test('the same seed, moment and bars make the same items; another installation has others', () => {
    expect(tenNews(createDraws('a seed'), walks(now))).toEqual(tenNews(draws, walks(now)));
    expect(tenNews(createDraws('another'), walks(now))).not.toEqual(tenNews(draws, walks(now)));
  });

  test('time adds new ones on top and leaves the text of the others unchanged', () => {
    const whole = walks(now + 2 * hourMs);
    const seen = new Map<string, string>();
    const tops = new Set<string>();
    for (let minute = 0; minute < 120; minute += 5) {
      const at = now + minute * minuteMs;
      // The bars as far as they had come.
      const reading = readingOf(at, (symbol) => {
        const history = whole.markets.find(({ pair }) => pair.symbol === symbol)?.history ?? [];
        return history.filter(({ to }) => to <= at);
      });
      const items = tenNews(draws, reading);
      for (const { id, headline } of items) {
        expect(seen.get(id) ?? headline).toBe(headline);
        seen.set(id, headline);
      }
      tops.add(items[0]?.id ?? '');
    }
    expect(tops.size).toBeGreaterThan(6);
    expect(seen.size).toBeGreaterThan(18);
  });

  test('without any market there are ten all the same', () => {
    const items = tenNews(
      draws,
      readingOf(now, () => []),
    );
    expect(items).toHaveLength(10);
    expect(new Set(items.map(({ category }) => category))).toEqual(new Set(['economy']));
  });

  test('a day of watching is not the same again and again', () => {
    const headlines = new Set<string>();
    for (let minute = 0; minute < 24 * 60; minute += 60) {
      for (const { headline } of tenNews(draws, walks(now + minute * minuteMs))) {
        headlines.add(headline.replace(/[\d.,]+/g, '0'));
      }
    }
    expect(headlines.size).toBeGreaterThan(60);
  });
});

describe('coherence', () => {
  test('an hour in which gold gained 4 % has a headline of that hour with the true figures', () => {
    const hourly = (symbol: string): PriceHistory =>
      walk(symbol, now, hourMs, 96, 1).map((bar) =>
        symbol === 'XAUUSD' ? { ...bar, open: 4000, high: 4000, low: 4000, close: 4000 } : bar,
      );
    const hour = Date.UTC(2026, 10, 18, 14);
    const reading = readingOf(now, (symbol) =>
      hourly(symbol).map((bar) => {
        if (symbol !== 'XAUUSD' || bar.from < hour) return bar;
        return { ...bar, open: bar.from === hour ? 4000 : 4160, high: 4160, close: 4160 };
      }),
    );
    const gold = tenNews(draws, reading).filter(
      ({ symbol, headline }) => symbol === 'XAUUSD' && headline.includes('4.0%'),
    );
    expect(gold[0]).toMatchObject({
      category: 'market',
      headline: expect.stringMatching(/4\.0%.*4,160\.00/),
    });
    const at = Date.parse(gold[0]?.at ?? '');
    expect(at).toBeGreaterThan(hour);
    expect(at).toBeLessThanOrEqual(hour + hourMs);
  });

  test('no headline contradicts the bars, however wild they are', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 0, max: 7 * 24 * 60 }),
        fc.double({ min: 0.1, max: 8, noNaN: true }),
        (seed, minutes, wildness) => {
          const reading = walks(now + minutes * minuteMs, wildness, seed);
          for (const draft of tenDrafts(createDraws(seed), reading)) {
            expect({ headline: draft.headline, wrong: contradictions(draft, reading) }).toEqual({
              headline: draft.headline,
              wrong: [],
            });
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test('a headline on a present that no longer holds is not shown', () => {
    for (let minute = 0; minute < 600; minute += 60) {
      const reading = walks(now + minute * minuteMs);
      const crashed: MarketSnapshot = {
        ...reading,
        markets: reading.markets.map((market) => {
          const last = market.history.at(-1);
          if (!last) return market;
          const close = last.close * 0.8;
          return { ...market, history: [...market.history.slice(0, -1), { ...last, low: close, close }] };
        }),
      };
      for (const { headline } of tenDrafts(draws, crashed)) {
        expect(headline).not.toMatch(/holds above|stays above|high of/);
      }
    }
  });

  test('a published figure has a headline in the format of the calendar, and none before', () => {
    const [release] = listPublications(draws, now - 7 * dayMs, now + 7 * dayMs).filter(
      ({ indicator, at }) => indicator.kind === 'count' && indicator.impact === 'medium' && at > now,
    );
    if (!release) throw new Error('no release');
    const seen = (at: number) =>
      tenNews(draws, walks(at)).filter(
        ({ headline, at: when }) =>
          headline.toLowerCase().includes(release.indicator.spoken.toLowerCase()) &&
          Date.parse(when) === release.at + minuteMs,
      );
    expect(seen(release.at + 2 * minuteMs)).toHaveLength(1);
    expect(seen(release.at)).toEqual([]);
  });

  test('headlines on shares appear while New York trades, or on its last session', () => {
    const sunday = Date.UTC(2026, 10, 22, 12, 5);
    const stocks = tenNews(draws, walks(sunday)).filter(({ category }) => category === 'stocks');
    expect(stocks.length).toBeGreaterThan(0);
    for (const { at } of stocks) expect(at).toMatch(/^2026-11-20T(1[4-9]|2[01])/);
  });
});
