/** Parses PRICE_FEED and the addresses of its providers. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { decimalBetween } from './numbers.ts';

/** Addresses of the price providers, without a trailing slash. */
export interface Providers {
  readonly binanceUrl: string;
  readonly binanceStreamUrl: string;
  readonly yahooUrl: string;
  /** At most three; the requested address is appended, URL-encoded. */
  readonly proxies: readonly string[];
  /** Whether the addresses above may be of this machine or a private network. */
  readonly allowPrivate: boolean;
  /** Requests a second towards the quote provider. */
  readonly quotesPerS: number;
}

export type PriceFeed =
  /** Null: the secret key of this data directory. A seed is public: it determines all prices (A109). */
  | { readonly kind: 'simulated'; readonly seed: string | null }
  /** Live where the source answers at the start, otherwise simulated with the same seed rule. */
  | { readonly kind: 'auto'; readonly seed: string | null }
  /** Live, without a simulated fallback. */
  | { readonly kind: 'live' }
  | {
      readonly kind: 'replay';
      /** Absolute; one CSV of recorded candles per symbol. */
      readonly folder: string;
      /** Recorded seconds per second. */
      readonly speed: number;
      readonly loop: boolean;
      /** At a jump that is no price movement: wait for a staff decision, or continue at once. */
      readonly onJump: 'pause' | 'gap';
      /** Maximum of recorded minutes that charts show before the beginning of the replay. */
      readonly historyMinutes: number;
    };

export const priceFeed = z.string().transform((text, context): PriceFeed => {
  const feed = parsePriceFeed(text);
  if (feed !== null) return feed;
  context.addIssue('not a price feed');
  return z.NEVER;
});

const replayParameters: ReadonlySet<string> = new Set(['speed', 'loop', 'on_jump', 'history']);

function parsePriceFeed(text: string): PriceFeed | null {
  if (text === 'live') return { kind: 'live' };
  const seeded = /^(?<kind>simulated|auto)(:(?<seed>[\w.-]{1,64}))?$/.exec(text);
  if (seeded) {
    const kind = seeded.groups?.kind === 'auto' ? 'auto' : 'simulated';
    return { kind, seed: seeded.groups?.seed ?? null };
  }
  const replay = /^replay:(?<folder>[^?]+)(\?(?<query>.*))?$/.exec(text);
  if (replay?.groups?.folder === undefined) return null;
  const parameters = new URLSearchParams(replay.groups.query ?? '');
  if ([...parameters.keys()].some((name) => !replayParameters.has(name))) return null;
  const speed = decimalBetween(1, 3600).safeParse(parameters.get('speed') ?? '1');
  const loop = z.enum(['0', '1']).safeParse(parameters.get('loop') ?? '0');
  const onJump = z.enum(['pause', 'gap']).safeParse(parameters.get('on_jump') ?? 'pause');
  const history = decimalBetween(0, 1440).safeParse(parameters.get('history') ?? '50');
  if (!speed.success || !loop.success || !onJump.success || !history.success) return null;
  return {
    kind: 'replay',
    folder: resolve(replay.groups.folder),
    speed: speed.data,
    loop: loop.data === '1',
    onJump: onJump.data,
    historyMinutes: Math.floor(history.data),
  };
}

export const webUrl = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^?#]+$/)
  .transform((text) => text.replace(/\/+$/, ''));

export const socketUrl = z
  .url({ protocol: /^wss?$/ })
  .regex(/^[^?#]+$/)
  .transform((text) => text.replace(/\/+$/, ''));

export const proxies = z
  .string()
  .transform((text) => text.split(/,\s*/))
  .pipe(z.array(z.url({ protocol: /^https?$/ }).regex(/^[^#]+$/)).max(3));
