import { newsCategories, newsItem } from '@fulcrum/contract';
import { dayMs, hourMs, minuteMs, priceDecimals } from '@fulcrum/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listPublications } from '../../src/features/dashboard/synthetic-content/calendar.ts';
import { createDraw } from '../../src/features/dashboard/synthetic-content/draws.ts';
import {
  type ContentInput,
  type FollowedMarket,
  followedSymbols,
  quarterMs,
} from '../../src/features/dashboard/synthetic-content/followed-markets.ts';
import { getTenNews } from '../../src/features/dashboard/synthetic-content/news.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';

type Quarters = FollowedMarket['quarters'];

/** A Wednesday on which New York trades. */
const now = Date.UTC(2026, 10, 18, 16, 7);
const draw = createDraw('a seed');
const listings = followedSymbols.map(
  (symbol) => catalogue.find((one) => one.symbol === symbol) ?? expect.unreachable(),
);

/** A walk up to `end`; `wildness` is the deviation of a quarter in per cent of a usual day. */
function walk(
  { symbol, typical }: (typeof listings)[number],
  end: number,
  wildness: number,
  seed = '',
): Quarters {
  const count = 370;
  let state = Math.floor(createDraw('walk')(seed, symbol) * 2 ** 32);
  // The generator's own draws are too dear for a walk of every market.
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 4;
  };
  let price = typical?.price ?? expect.unreachable();
  const deviation = (wildness * (typical?.dailyVolatilityPct ?? 1)) / 1_000;
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const open = price;
      price *= Math.exp(random() * deviation);
      const [high, low] = [Math.max(open, price) * (1 + 1 / 4_000), Math.min(open, price) * (1 - 1 / 4_000)];
      return [end - (end % quarterMs) - (count - index) * quarterMs, { close: price, high, low }];
    }),
  );
}

function inputOf(at: number, quartersOf: (listing: (typeof listings)[number]) => Quarters): ContentInput {
  const markets = listings.map((listing, sortOrder): FollowedMarket => {
    const pair = { ...listing, id: listing.symbol, sortOrder };
    return { pair, price: null, quarters: quartersOf(listing), running: null, daySnapshots: [] };
  });
  return { now: at, markets, dayPercents: new Map() };
}
const walks = (at: number, wildness = 1, seed = '') =>
  inputOf(at, (listing) => walk(listing, at, wildness, seed));

const closeAt = (quarters: Quarters, at: number) => quarters.get(at - quarterMs)?.close ?? Number.NaN;

/** The figures of a headline about one market that its bars do not show, computed without the generator's own functions. */
function findUntrue(headline: string, { pair, quarters }: FollowedMarket, at: number): string[] {
  const figures = headline.replace(/since 00:00 UTC|24(-| )hour|24 hours|(S&P|Nasdaq|FTSE|Nikkei) \d+/gi, '');
  const isJump = /within the hour/.test(headline);
  // A jump is dated to the end of its quarter, any other item to the minutes after it.
  const quarter = at - (at % quarterMs);
  const prices = [...quarters].flatMap(([start, { close, high, low }]) =>
    start < quarter && start >= quarter - dayMs ? [close, high, low] : [],
  );
  const price = closeAt(quarters, quarter);
  const spans = [hourMs, dayMs, quarter % dayMs];
  const hour = closeAt(quarters, Math.floor((quarter - 1) / hourMs) * hourMs);
  const moves = isJump
    ? prices.map((one) => (one / hour - 1) * 100)
    : spans.map((span) => (price / closeAt(quarters, quarter - span) - 1) * 100);
  const percents = pair.type === 'forex' ? 2 : 1;
  const rising = /\b(adds?|gains?|above|up|higher|jumps)\b/.test(figures.replace('gives up', ''));
  const falling = /\b(gives up|slips|below|down|lower|cost|drops)\b/.test(figures);
  return (figures.match(/\d[\d,]*(\.\d+)?%?/g) ?? []).filter((figure) => {
    const text = figure.replaceAll(',', '');
    if (!text.endsWith('%')) return !prices.some((one) => one.toFixed(priceDecimals(pair)) === text);
    return !moves.some(
      (move) => `${Math.abs(move).toFixed(percents)}%` === text && (move > 0 ? rising : falling),
    );
  });
}

describe('the ten items', () => {
  test('DASH-33, DASH-34: ten of the stated shape, the newest first, of all four categories, at any hour', () => {
    for (let hour = 0; hour < 7 * 24; hour += 17) {
      const at = now + hour * hourMs + 3 * minuteMs;
      const items = getTenNews(draw, walks(at));
      expect(items).toHaveLength(10);
      for (const item of items) newsItem.parse(item);
      const ats = items.map((item) => item.at);
      expect(ats).toEqual([...ats].sort().reverse());
      expect(Date.parse(ats[0] ?? '')).toBeLessThanOrEqual(at);
      expect(new Set(items.map(({ headline }) => headline)).size).toBe(10);
      expect(new Set(items.map(({ id }) => id)).size).toBe(10);
      expect(new Set(items.map(({ category }) => category))).toEqual(new Set(newsCategories));
    }
  });

  test('the same seed, moment and bars make the same items; another installation has others', () => {
    expect(getTenNews(createDraw('a seed'), walks(now))).toEqual(getTenNews(draw, walks(now)));
    expect(getTenNews(createDraw('another'), walks(now))).not.toEqual(getTenNews(draw, walks(now)));
  });

  test('time adds new ones on top and leaves the text of the others unchanged', () => {
    const whole = new Map(listings.map((listing) => [listing, walk(listing, now + 2 * hourMs, 1)]));
    const seen = new Map<string, string>();
    const tops = new Set<string>();
    for (let minute = 0; minute < 120; minute += 5) {
      const at = now + minute * minuteMs;
      // The bars as far as they had come.
      const input = inputOf(
        at,
        (listing) => new Map([...(whole.get(listing) ?? [])].filter(([start]) => start + quarterMs <= at)),
      );
      const items = getTenNews(draw, input);
      for (const { id, headline } of items) {
        expect(seen.get(id) ?? headline).toBe(headline);
        seen.set(id, headline);
      }
      tops.add(items[0]?.id ?? '');
    }
    expect(tops.size).toBeGreaterThan(6);
    expect(seen.size).toBeGreaterThan(18);
  });

  test('a market that joins or leaves changes the items about itself only', () => {
    const whole = walks(now);
    const leaves = (symbol: string) => whole.markets.filter(({ pair }) => pair.symbol !== symbol);
    const all = getTenNews(draw, whole);
    const fewer = getTenNews(draw, {
      ...whole,
      markets: leaves(all.find(({ symbol }) => symbol)?.symbol ?? ''),
    });
    expect(all.filter(({ id }) => fewer.some((one) => one.id === id)).length).toBeGreaterThanOrEqual(7);
  });

  test('without any market there are ten all the same', () => {
    const items = getTenNews(draw, { now, markets: [], dayPercents: new Map() });
    expect(items).toHaveLength(10);
    expect(new Set(items.map(({ category }) => category))).toEqual(new Set(['economy']));
  });

  test('a day of watching is not the same again and again', () => {
    const headlines = new Set<string>();
    for (let hour = 0; hour < 24; hour += 1) {
      const items = getTenNews(draw, walks(now + hour * hourMs));
      for (const { headline } of items) headlines.add(headline.replace(/[\d.,]+/g, '0'));
      expect(new Set(items.map(({ symbol }) => symbol)).size).toBeGreaterThan(4);
    }
    expect(headlines.size).toBeGreaterThan(60);
  });
});

describe('coherence', () => {
  test('an hour in which gold gained 4 % has a headline of that hour with the true figures', () => {
    const hour = Date.UTC(2026, 10, 18, 14);
    const flat = (from: number) =>
      new Map(
        [...walk(listings[0] ?? expect.unreachable(), now, 1)].map(([start]) => [
          start,
          priceOf(start, from),
        ]),
      );
    const priceOf = (start: number, from: number) => {
      const close = start < from ? 4000 : 4160;
      return { close, high: close, low: close };
    };
    const gold = (input: ContentInput) =>
      getTenNews(draw, input).filter(
        ({ symbol, headline }) => symbol === 'XAUUSD' && /4\.0%.*4,160\.00/.test(headline),
      );
    const finished = inputOf(now, (listing) =>
      listing.symbol === 'XAUUSD' ? flat(hour + quarterMs) : walk(listing, now, 1),
    );
    const [item] = gold(finished);
    expect(item?.category).toBe('market');
    expect(Date.parse(item?.at ?? '')).toBeGreaterThan(hour);
    expect(Date.parse(item?.at ?? '')).toBeLessThanOrEqual(hour + hourMs);

    const running = { start: now - (now % quarterMs), high: 4160, low: 4000 };
    const present = inputOf(now, (listing) =>
      listing.symbol === 'XAUUSD' ? flat(Infinity) : walk(listing, now, 1),
    );
    const markets = present.markets.map((one) => (one.pair.symbol === 'XAUUSD' ? { ...one, running } : one));
    expect(gold(present)).toEqual([]);
    expect(gold({ ...present, markets }).map(({ at }) => Date.parse(at))).toEqual([now]);
  });

  test('no headline states a figure or a direction that the bars do not show, however wild they are', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 0, max: 7 * 24 * 60 }),
        fc.double({ min: 0.1, max: 8, noNaN: true }),
        (seed, minutes, wildness) => {
          const input = walks(now + minutes * minuteMs, wildness, seed);
          for (const { headline, symbol, at } of getTenNews(createDraw(seed), input)) {
            const market = input.markets.find(({ pair }) => pair.symbol === symbol);
            // Of two markets each figure is held against its own bars in the phrases about one.
            if (!market || /trails|weakest/i.test(headline)) continue;
            expect({ headline, untrue: findUntrue(headline, market, Date.parse(at)) }).toEqual({
              headline,
              untrue: [],
            });
            compared += 1;
          }
        },
      ),
      { numRuns: 25 },
    );
    expect(compared).toBeGreaterThan(100);
  });

  test('a headline that the present price contradicts is not shown, be its market charted or polled', () => {
    const present = (input: ContentInput, times: number, symbols: readonly string[] = followedSymbols) =>
      input.markets.map((market) => {
        const last = closeAt(market.quarters, input.now - (input.now % quarterMs));
        return symbols.includes(market.pair.symbol) ? { ...market, price: last * times } : market;
      });
    const headlines = (input: ContentInput, markets: ContentInput['markets']) =>
      getTenNews(draw, { ...input, markets }).filter(
        ({ symbol, headline }) => symbol !== null && !/within the hour/.test(headline),
      );
    const still = /little changed|quiet|range|between|trails|weakest/i;
    let shown = 0;
    for (let hour = 0; hour < 10; hour += 1) {
      const input = walks(now + hour * hourMs);
      for (const { headline } of headlines(input, present(input, 0.8))) {
        expect(headline).not.toMatch(still);
        expect(headline).toMatch(/\b(gives up|slips|below|down|lower|cost)\b/);
        shown += 1;
      }
      for (const { headline } of headlines(input, present(input, 1.25))) {
        expect(headline).not.toMatch(still);
        expect(headline.replace('gives up', '')).toMatch(/\b(adds?|gains?|above|up|higher)\b/);
        shown += 1;
      }
      // The fall of one market removes none about the others.
      const fallen = headlines(input, present(input, 0.8, ['BTCUSDT'])).map(({ id }) => id);
      const others = headlines(input, input.markets).filter(({ headline }) => !/Bitcoin/.test(headline));
      expect(others.filter(({ id }) => !fallen.includes(id)).length).toBeLessThanOrEqual(1);
    }
    expect(shown).toBeGreaterThan(20);

    const at = now - quarterMs;
    const polled = (price: number) => {
      const { markets, ...input } = inputOf(now, () => new Map());
      const daySnapshots = Array.from({ length: 8 }, (_, back) => {
        return { at: at - back * quarterMs, price: 256, dayPercent: 1.2 };
      });
      return headlines(
        { ...input, markets },
        markets.map((one) => (one.pair.symbol === 'AAPL' ? { ...one, price, daySnapshots } : one)),
      );
    };
    expect(polled(254).length).toBeGreaterThan(0);
    expect(polled(250)).toEqual([]);
  });

  test('a published figure has a headline in the format of the calendar, and none before', () => {
    const [release] = listPublications(draw, now, now + 7 * dayMs).filter(
      ({ indicator }) => indicator.kind === 'level' && indicator.impact === 'medium',
    );
    if (!release) throw new Error('no release');
    const seen = (at: number) =>
      getTenNews(draw, walks(at)).filter(
        ({ headline, at: when }) =>
          headline.includes(release.indicator.title) && Date.parse(when) === release.at + minuteMs,
      );
    expect(seen(release.at + 2 * minuteMs)).toHaveLength(1);
    expect(seen(release.at)).toEqual([]);
  });

  test('headlines on shares appear while New York trades, or on its last session', () => {
    const sunday = Date.UTC(2026, 10, 22, 12, 5);
    const stocks = getTenNews(draw, walks(sunday)).filter(({ category }) => category === 'stocks');
    expect(stocks.length).toBeGreaterThan(0);
    for (const { at } of stocks) expect(at).toMatch(/^2026-11-20T(1[4-9]|2[01])/);
  });
});
