/**
 * Proves the prices of a simulated market (decision 32): commits to the keys of days, publishes them once they are past, and computes prices again
 * from published ones. Invariants: a commitment fixes every simulated price of its days but for the shocks after it; it contains no key; keys are
 * published only of the days that the caller names, and only those that were committed to.
 */
import { asPrice, dayMs, type Price, roundToTick } from '@fulcrum/domain';
import { z } from 'zod';
import { realTimers, systemClock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { catalogue } from './catalogue/index.ts';
import {
  committedStreams,
  createDayKeys,
  createSimulatedFeed,
  engine3,
  hashOfKeys,
  keyIdOf,
  keyOfSeed,
  keysOfDay,
  keysOfPast,
  modelOfDayKeys,
  type PriceShock,
  publishedKeys,
} from './feeds/simulated/index.ts';
import { readPrice } from './price.ts';
import { readPaths, readScales, readShocks } from './simulation-store.ts';
import { createTimeSlicer } from './time-slicer.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** As `PriceShock`. */
export const priceShock = z.object({
  symbol: z.string(),
  /** Ms since the epoch. */
  at: z.number(),
  percent: z.number(),
  halfLifeMinutes: z.number().nullable(),
});

export const marketCommitment = z.object({
  kind: z.literal('fulcrum-market-commitment'),
  v: z.literal(1),
  /** What it is made for. */
  contest: z.string(),
  published_at: z.string(),
  engine: z.number(),
  key_id: z.string(),
  weekends: z.boolean(),
  sessions: z.enum(['honour', '24x7']).nullable(),
  /** Those that are simulated, by name. */
  symbols: z.array(z.string()),
  /** Factors on the prices of symbols that went on from another market. */
  scales: z.record(z.string(), z.number()),
  /** All so far; later ones are in the result. */
  shocks: z.array(priceShock),
  /** The first of `days`, since 1970-01-01. */
  first_day: z.number().int(),
  /** SHA-256 of the keys of the daily layer of all days before. */
  past_sha256: sha256,
  /** SHA-256 of the keys of each day. */
  days: z.array(sha256).min(1),
});
export type MarketCommitment = z.output<typeof marketCommitment>;

/** Both base64url. */
export const marketKeys = z.object({ past: z.base64url(), days: z.array(z.base64url()).min(1) });
export type MarketKeys = z.output<typeof marketKeys>;

export const dayOf = (instant: number): number => Math.floor(instant / dayMs);
export const formatDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** A market that is shut shows its last price, which is of one of the days before; none is shut for longer. */
const closureDays = 8;

interface CommitmentTerms {
  readonly contest: string;
  /** Ms since the epoch, all three. */
  readonly begins: number;
  readonly ends: number;
  readonly publishedAt: number;
  /** Of which the commitment is made; each is simulated. */
  readonly symbols: readonly string[];
}

export interface MarketProof {
  /** Whether the configuration simulates any market. */
  readonly isSimulated: boolean;
  /**
   * Of the days of the contest, those before it that a shut market has its price of, and one more, because an end may be late; null where nothing
   * is simulated. `db` reads what the prices are computed from.
   */
  commit(db: Queryable, terms: CommitmentTerms): Promise<MarketCommitment | null>;
  /** Of its days until `lastDay` (since 1970-01-01); null where this server has another key by now. The caller decides whether those are past. */
  publish(commitment: MarketCommitment, lastDay: number): Promise<MarketKeys | null>;
}

interface MarketProofDependencies {
  readonly config: Pick<Config, 'priceFeed' | 'sessions'>;
  /** Of the simulated market where no seed is chosen: 32 secret bytes. */
  readonly marketKey: Uint8Array;
}

const pairsOf = (symbols: readonly string[]) => {
  const named = new Set(symbols);
  return catalogue.filter(({ symbol }) => named.has(symbol));
};

export function createMarketProof({ config, marketKey }: MarketProofDependencies): MarketProof {
  const { priceFeed, sessions } = config;
  const isSimulated = priceFeed.kind === 'simulated' || priceFeed.kind === 'auto';
  const key = isSimulated && priceFeed.seed !== null ? keyOfSeed(priceFeed.seed) : marketKey;
  const keyOf = createDayKeys(key);
  const keyId = keyIdOf(key);
  // A year has 60,000 keys: they are computed beside the engine.
  const slicer = createTimeSlicer();

  const keysOf = (symbols: readonly string[], first: number, last: number) =>
    slicer.run(async (slice) => {
      const streams = committedStreams(pairsOf(symbols));
      const past: Buffer[] = [];
      for (const key of keysOfPast(keyOf, first)) {
        await slice.yield();
        past.push(key);
      }
      const days: Buffer[] = [];
      for (let day = first; day <= last; day += 1) {
        await slice.yield();
        days.push(keysOfDay(keyOf, streams, day));
      }
      return { past: Buffer.concat(past), days };
    });

  return {
    isSimulated,

    async commit(db, { contest, begins, ends, publishedAt, symbols: named }) {
      const symbols = pairsOf(named)
        .filter(({ typical }) => typical !== undefined && typical !== null)
        .map(({ symbol }) => symbol)
        .sort();
      if (!isSimulated || symbols.length === 0) return null;
      const path = (await readPaths(db)).at(-1);
      const scales = (path && (await readScales(db)).get(path.number)) ?? new Map<string, number>();
      const firstDay = dayOf(begins) - closureDays;
      const { past, days } = await keysOf(symbols, firstDay, dayOf(ends) + 1);
      return {
        ...{ kind: 'fulcrum-market-commitment', v: 1, contest },
        published_at: new Date(publishedAt).toISOString(),
        ...{ engine: engine3, key_id: keyId, weekends: sessions === 'honour', sessions, symbols },
        scales: Object.fromEntries(
          symbols.flatMap((symbol) => {
            const scale = scales.get(symbol);
            return scale === undefined ? [] : [[symbol, scale]];
          }),
        ),
        ...{ shocks: await readShocks(db), first_day: firstDay },
        ...{ past_sha256: hashOfKeys(past), days: days.map(hashOfKeys) },
      };
    },

    async publish(commitment, lastDay) {
      const { first_day, symbols } = commitment;
      if (commitment.engine !== engine3 || commitment.key_id !== keyId) return null;
      const last = Math.min(lastDay, first_day + commitment.days.length - 1);
      const { past, days } = await keysOf(symbols, first_day, last);
      const keys = {
        past: past.toString('base64url'),
        days: days.map((bytes) => bytes.toString('base64url')),
      };
      return findFalseKeys(commitment, keys) === null ? keys : null;
    },
  };
}

/** Null, or which keys are not those of the commitment. */
export function findFalseKeys(commitment: MarketCommitment, keys: MarketKeys): string | null {
  const hashOf = (text: string) => hashOfKeys(Buffer.from(text, 'base64url'));
  const { first_day, past_sha256, days } = commitment;
  if (hashOf(keys.past) !== past_sha256) return `the keys of the days before ${formatDay(first_day)}`;
  const wrong = keys.days.findIndex((text, index) => hashOf(text) !== days[index]);
  return wrong < 0 ? null : `the keys of ${formatDay(first_day + wrong)}`;
}

export interface PublishedPrices {
  /** What the market showed of a symbol at an instant, ms since the epoch; null where the keys do not say. */
  priceAt(symbol: string, instant: number): Price | null;
}

/** Needs no server. `shocks`: all, also those of the commitment. The keys are those of the commitment. */
export function computePublishedPrices(
  commitment: MarketCommitment,
  keys: MarketKeys,
  shocks: readonly PriceShock[],
): PublishedPrices {
  const { symbols, first_day: from, weekends, sessions, key_id } = commitment;
  const pairs = pairsOf(symbols);
  const days = keys.days.map((text) => Buffer.from(text, 'base64url'));
  const keyOf = publishedKeys({
    ...{ streams: committedStreams(pairs), days, from },
    past: Buffer.from(keys.past, 'base64url'),
  });
  const feed = createSimulatedFeed({
    ...{
      model: modelOfDayKeys(keyOf, key_id, weekends),
      sessions,
      pairs,
      shocks,
      timers: realTimers(systemClock),
    },
    scales: new Map(Object.entries(commitment.scales)),
  });
  const pairOf = new Map(pairs.map((pair) => [pair.symbol, pair]));
  return {
    priceAt(symbol, instant) {
      const pair = pairOf.get(symbol);
      const day = dayOf(instant) - from;
      if (!pair || day < 0 || day >= days.length) return null;
      const shown = feed.shownPriceAt(symbol, instant);
      const price = shown === null ? null : readPrice(shown);
      return price && asPrice(roundToTick(price, pair.tickSize, 'half-away-from-zero'));
    },
  };
}
