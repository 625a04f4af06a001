import { createCipheriv, createHmac } from 'node:crypto';
import { dayMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createManualTimers } from '../../../../../test/harness/manual-timers.ts';
import { correlationOf } from '../../../../../test/long/statistics.ts';
import { catalogue } from '../../catalogue/index.ts';
import { createEngine3Noise } from './engine-3.ts';
import { createSimulatedFeed, type MarketModel, modelOfEngine2, modelOfKey, modelOfSeed } from './index.ts';
import { dailyDraws } from './noise.ts';
import { addBounded, boundedGroup, limitOf } from './normal.ts';
import { blocksPerDay, minutesPerDay } from './rhythm.ts';

const now = Date.UTC(2026, 10, 20, 13, 37, 42, 123);
const day = Math.floor(now / dayMs);
const key = Buffer.alloc(32, 7);

/** What A109 says, by Node's own HMAC and counter mode. */
function keyStream(purpose: string, name: string, of: number, bytes: number): Buffer {
  const message = ['engine 3', purpose, name, of].join('\u0000');
  const dayKey = createHmac('sha256', key).update(message).digest();
  return createCipheriv('aes-256-ctr', dayKey, Buffer.alloc(16)).update(Buffer.alloc(bytes));
}

test('A109: draws are AES-256-CTR under HMAC-SHA-256 of key, engine, purpose, name and day', () => {
  const noise = createEngine3Noise(key);
  const bytes = keyStream('path', 'BTCUSDT', day, 2_048 + blocksPerDay * 16 + minutesPerDay * (64 + 1_024));
  const stream = noise.path('BTCUSDT', day);
  for (const node of [1, 2, 287, 511]) expect(stream.upper(node)).toBe(bytes.readInt32LE(node * 4));
  const long = 2_048;
  for (let block = 0; block < blocksPerDay; block += 7) {
    for (const node of [1, 2, 3]) {
      expect(stream.long(block, node)).toBe(bytes.readInt32LE(long + block * 16 + node * 4));
    }
    expect(stream.long(block, 7)).toBe(bytes.readInt32LE(long + block * 16));
  }
  const heads = long + blocksPerDay * 16;
  const subtrees = heads + minutesPerDay * 64;
  const halfWords = (from: number, count: number) =>
    Uint16Array.from({ length: count }, (_, index) => bytes.readUInt16LE(from + 2 * index));
  for (let minute = 0; minute < minutesPerDay; minute += 37) {
    const head = halfWords(heads + minute * 64, 32);
    for (const group of [1, 16, 31]) {
      const isTop = group === 1;
      const kind = boundedGroup(isTop ? 15 : 31);
      const bound = head[isTop ? 0 : group] ?? 0;
      const words = isTop ? head : halfWords(subtrees + minute * 1_024 + (group - 16) * 64, 32);
      const [came, guessed] = [new Float64Array(32), new Float64Array(32)];
      stream.addSteps(minute, group, 0.7, came);
      addBounded(kind, bound, words, 0, 0.7, guessed);
      expect(came).toEqual(guessed);
      expect(stream.stepLimit(minute, group)).toBe(limitOf(kind, bound));
    }
  }
  const volume = keyStream('volume', 'BTCUSDT', day, 6_000);
  const drawn = noise.volume('BTCUSDT', 'BTCUSDT', day);
  expect(drawn.surprise).toBe(volume.readInt32LE(0));
  expect(drawn.minute(1_439)).toBe(volume.readInt32LE(1_440 * 4));
  // The day of the whole market: the name chooses the counter.
  const before = noise.daily('path', 'BTCUSDT')(3, dailyDraws.shockU);
  noise.daily('factor', 'EQ')(3, dailyDraws.shockU);
  expect(noise.daily('path', 'BTCUSDT')(3, dailyDraws.shockU)).toBe(before);
  expect(createEngine3Noise(key).daily('path', 'BTCUSDT')(3, dailyDraws.shockU)).toBe(before);
});

test('ENG-2: another bit of the key, day, name or purpose gives independent draws', () => {
  const other = Buffer.from(key);
  other[31] = 6;
  const [noise, flipped] = [createEngine3Noise(key), createEngine3Noise(other)];
  expect(flipped.keyId).not.toBe(noise.keyId);
  expect(noise.keyId).not.toContain(key.toString('hex').slice(0, 8));
  const drawsOf = (stream: { upper(node: number): number }) =>
    Array.from({ length: 512 }, (_, node) => stream.upper(node));
  const all = [
    noise.path('BTCUSDT', day),
    noise.path('BTCUSDT', day + 1),
    noise.path('ETHUSDT', day),
    noise.factor('BTCUSDT', day),
    noise.clock('BTCUSDT', day),
    flipped.path('BTCUSDT', day),
  ].map(drawsOf);
  expect(new Set(all.flat()).size).toBeGreaterThan(all.length * 512 - 5);
  for (const [index, left] of all.entries()) {
    for (const right of all.slice(index + 1)) expect(Math.abs(correlationOf(left, right))).toBeLessThan(0.2);
  }
  // The seed of engine 2 was found from the volumes of finished days: here they are of other keys than the prices.
  const volume = noise.volume('BTCUSDT', 'BTCUSDT', day);
  expect(all.flat()).not.toContain(volume.surprise);
});

const feedOf = (model: MarketModel) =>
  createSimulatedFeed({
    model,
    sessions: null,
    pairs: catalogue,
    timers: createManualTimers(now),
    shocks: [],
    scales: new Map(),
  });

/**
 * The mean move of the second half of a minute in the direction of its first half, in standard deviations of the second half,
 * over the error of that mean. `lean` defines the direction.
 */
function foretold(model: MarketModel, lean: (first: number) => number): number {
  const feed = feedOf(model);
  const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
  const minutes = symbols.flatMap((symbol) =>
    Array.from({ length: 3_000 }, (_, index) => {
      const at = (day - 2) * dayMs + index * minuteMs;
      const [open = 1, half = 1, end = 1] = [0, 0.5, 1].map(
        (part) => feed.priceAt(symbol, at + part * minuteMs)!,
      );
      const [first, second] = [Math.log(half / open), Math.log(end / half)];
      // Blocks have a variance of their own, the same in all of their minutes.
      return { block: `${symbol} ${Math.floor(index / 5)}`, first, second };
    }),
  );
  const byBlock = new Map<string, number>();
  for (const { block, first, second } of minutes) {
    byBlock.set(block, (byBlock.get(block) ?? 0) + (first * first + second * second) / 5);
  }
  const gains = minutes.map(({ block, first, second }) => {
    const deviation = Math.sqrt(byBlock.get(block) ?? 1);
    return (Math.sign(lean(first / deviation)) * second) / deviation;
  });
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const variance = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0) / gains.length;
  return mean / Math.sqrt(variance / gains.length);
}

/** With steps of one size the half of a minute, x deviations away, leaves two ends; their mean is x - tanh(2x) away. */
const leanOfTwoEnds = (first: number): number => first - Math.tanh(2 * first);

test('ENG-1: the first half of a minute does not predict the second, where it once left two places for its end', () => {
  expect(foretold(modelOfEngine2('fulcrum'), leanOfTwoEnds)).toBeGreaterThan(10);
  const market = modelOfKey(key, false);
  for (const lean of [leanOfTwoEnds, (first: number) => first]) {
    expect(Math.abs(foretold(market, lean))).toBeLessThan(4);
  }
});

test('SEC-F1: an oracle with the source and the default seed predicts no price and no move', () => {
  const market = feedOf(modelOfKey(Buffer.from('a secret of this installation ...'.slice(0, 32)), false));
  const guesses = [modelOfEngine2('fulcrum'), modelOfSeed('fulcrum'), modelOfSeed('')].map(feedOf);
  const move = (feed: typeof market, symbol: string, at: number) =>
    Math.log(feed.priceAt(symbol, at + 5 * minuteMs)! / feed.priceAt(symbol, at)!);
  const symbols = ['BTCUSDT', 'AAPL', 'EUR/USD', 'XAUUSD', 'SPX'];
  for (const guess of guesses) {
    for (const { symbol } of catalogue) {
      expect(guess.priceAt(symbol, now), symbol).not.toBe(market.priceAt(symbol, now));
    }
    for (const symbol of symbols) {
      const times = Array.from({ length: 400 }, (_, index) => now + index * 5 * minuteMs);
      const guessed = times.map((at) => move(guess, symbol, at));
      const came = times.map((at) => move(market, symbol, at));
      // Of 400 moves, a correlation of chance is below 0.2 in all but one of 15,000 cases.
      expect(Math.abs(correlationOf(guessed, came)), symbol).toBeLessThan(0.2);
    }
  }
});

test('a key of another length is refused', () => {
  expect(() => createEngine3Noise(Buffer.alloc(16))).toThrow(RangeError);
});
