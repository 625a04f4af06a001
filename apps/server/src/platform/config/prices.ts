/** PRICE_FEED, and the addresses of the providers behind it. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { decimalBetween } from './numbers.ts';

/** Where live prices come from. Addresses are without a trailing slash. */
export interface Providers {
  readonly binanceUrl: string;
  readonly binanceStreamUrl: string;
  readonly yahooUrl: string;
  /** At most three; the address that is wanted follows, URL-encoded. */
  readonly proxies: readonly string[];
  /** Whether the addresses above may be of this machine or a private network. */
  readonly allowPrivate: boolean;
  /** Requests a second towards the quote provider. */
  readonly quotesPerS: number;
}

export type PriceFeed =
  | { readonly kind: 'simulated'; readonly seed: string }
  /** Live where the source answers at the start, else simulated with this seed. */
  | { readonly kind: 'auto'; readonly seed: string }
  /** Live or nothing. */
  | { readonly kind: 'live' }
  | {
      readonly kind: 'replay';
      /** Absolute; one CSV of recorded candles per symbol. */
      readonly folder: string;
      /** Recorded seconds per second. */
      readonly speed: number;
      readonly loop: boolean;
    };

export const defaultSeed = 'fulcrum';
export const priceFeed = z.string().transform((text, context): PriceFeed => {
  const feed = parsePriceFeed(text);
  if (feed !== null) return feed;
  context.addIssue('not a price feed');
  return z.NEVER;
});

function parsePriceFeed(text: string): PriceFeed | null {
  if (text === 'live') return { kind: 'live' };
  const seeded = /^(?<kind>simulated|auto)(:(?<seed>[\w.-]{1,64}))?$/.exec(text);
  if (seeded) {
    const kind = seeded.groups?.kind === 'auto' ? 'auto' : 'simulated';
    return { kind, seed: seeded.groups?.seed ?? defaultSeed };
  }
  const replay = /^replay:(?<folder>[^?]+)(\?(?<query>.*))?$/.exec(text);
  if (replay?.groups?.folder === undefined) return null;
  const parameters = new URLSearchParams(replay.groups.query ?? '');
  if ([...parameters.keys()].some((name) => name !== 'speed' && name !== 'loop')) return null;
  const speed = decimalBetween(1, 3600).safeParse(parameters.get('speed') ?? '1');
  const loop = z.enum(['0', '1']).safeParse(parameters.get('loop') ?? '0');
  if (!speed.success || !loop.success) return null;
  return {
    kind: 'replay',
    folder: resolve(replay.groups.folder),
    speed: speed.data,
    loop: loop.data === '1',
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
