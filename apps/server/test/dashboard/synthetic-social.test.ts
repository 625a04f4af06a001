import { socialPlatforms, socialSentiment } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createDraw } from '../../src/features/dashboard/synthetic-content/draws.ts';
import {
  type ContentInput,
  followedSymbols,
  quarterMs,
} from '../../src/features/dashboard/synthetic-content/followed-markets.ts';
import { getSocialSentiment } from '../../src/features/dashboard/synthetic-content/social.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';

const now = Date.UTC(2026, 10, 18, 16, 7);
const draw = createDraw('a seed');

/** Every market went `percent` in the 24 hours up to now, from a flat day before, but for those named. */
function moved(percent: number, but: Readonly<Record<string, number>> = {}): ContentInput {
  const markets = followedSymbols.map((symbol, sortOrder) => {
    const listing = catalogue.find((one) => one.symbol === symbol) ?? expect.unreachable();
    const newest = now - (now % quarterMs);
    const quarters = new Map(
      Array.from({ length: 200 }, (_, back) => {
        const start = newest - (back + 1) * quarterMs;
        const close = start >= newest - dayMs ? 100 + (but[symbol] ?? percent) : 100;
        return [start, { high: close, low: close, close }] as const;
      }),
    );
    return {
      pair: { ...listing, id: symbol, sortOrder },
      price: null,
      quarters,
      running: null,
      daySnapshots: [],
    };
  });
  const dayPercents = new Map(catalogue.map(({ symbol }) => [symbol, but[symbol] ?? percent]));
  return { now, markets, dayPercents };
}

test('DASH-36, DASH-37: the four platforms in their order, each with three tags', () => {
  for (const percent of [-40, -2, 0, 2, 40]) {
    const answer = getSocialSentiment(draw, moved(percent));
    expect(answer.map(({ platform }) => platform)).toEqual([...socialPlatforms]);
    for (const one of answer) {
      socialSentiment.parse(one);
      expect(one.bullish).toBeGreaterThanOrEqual(8);
      expect(one.bullish).toBeLessThanOrEqual(92);
      expect(new Set(one.tags).size).toBe(3);
    }
  }
  expect(getSocialSentiment(draw, { now, markets: [], dayPercents: new Map() })).toHaveLength(4);
});

test('sentiment follows the last 24 hours of its markets, and states its change', () => {
  const [down, up] = [getSocialSentiment(draw, moved(-6)), getSocialSentiment(draw, moved(6))];
  up.forEach((one, index) => {
    const other = down[index];
    expect(one.bullish).toBeGreaterThan((other?.bullish ?? 100) + 20);
    expect(one.change).toBeGreaterThan(0);
    expect(other?.change).toBeLessThan(0);
  });
});

test('tags are what moves', () => {
  const [twitter, reddit] = getSocialSentiment(draw, moved(0.1, { DOGEUSDT: 18, NVDA: -9 }));
  expect(twitter?.tags.slice(0, 2)).toEqual(['#DOGE', '#NVDA']);
  expect(reddit?.tags[0]).toBe('$NVDA');
});

test('the same moment gives the same sentiment, and it drifts slowly', () => {
  expect(getSocialSentiment(createDraw('a seed'), moved(1))).toEqual(getSocialSentiment(draw, moved(1)));
  const [first] = getSocialSentiment(draw, moved(1));
  const [later] = getSocialSentiment(draw, { ...moved(1), now: now + 60_000 });
  expect(Math.abs((first?.bullish ?? 0) - (later?.bullish ?? 0))).toBeLessThanOrEqual(1);
});
