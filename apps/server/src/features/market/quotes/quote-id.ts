/**
 * The name of a quote: what its book is computed from, with a keyed checksum. So any quote can be rebuilt without a stored
 * book, and nobody can ask for the book of a price that was never there, which would tell the draws of the future. A live book is not
 * computed; its name is a keyed checksum of its levels, so two books of one instant have two names.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import {
  asPrice,
  asSize,
  type Book,
  type Level,
  type ModelRow,
  type Price,
  type QuotedProfile,
  quotedProfiles,
} from '@fulcrum/domain';

export interface QuoteInputs {
  readonly symbol: string;
  readonly profile: QuotedProfile;
  /** The instant of the price, ms since the epoch. */
  readonly at: number;
  readonly mid: Price;
  readonly row: ModelRow;
}

const macBytes = 9;
/** The size of a day in units of 1e-8 has up to 18 digits. */
const plainNumber = /^[0-9a-z]{1,18}$/;

const macOf = (key: KeyObject, symbol: string, body: string): Buffer =>
  createHmac('sha256', key).update(`quote\u0000${symbol}\u0000${body}`).digest().subarray(0, macBytes);

/** Letters, digits, dots, `-` and `_`, at most 100 characters. */
export function formatQuoteId(key: KeyObject, { symbol, profile, at, mid, row }: QuoteInputs): string {
  const numbers = [BigInt(at), mid, row.halfSpread, row.volatility, row.dayVolume, BigInt(row.depth)];
  const body = [quotedProfiles.indexOf(profile), ...numbers.map((number) => number.toString(36))].join('.');
  return `${body}.${macOf(key, symbol, body).toString('base64url')}`;
}

/** Null for an id that this installation did not make for that symbol. */
export function parseQuoteId(key: KeyObject, symbol: string, id: string): QuoteInputs | null {
  const parts = id.split('.');
  const given = parts.pop() ?? '';
  const mac = Buffer.from(given, 'base64url');
  // Decoding ignores what does not belong there, and an id has one spelling.
  if (mac.length !== macBytes || mac.toString('base64url') !== given) return null;
  if (!timingSafeEqual(mac, macOf(key, symbol, parts.join('.')))) return null;
  if (parts.length !== 7 || !parts.every((part) => plainNumber.test(part))) return null;
  const profile = quotedProfiles[Number(parts[0])];
  const [at, mid, halfSpread, volatility, dayVolume, depth] = parts.slice(1).map(parseNumber);
  if (!profile || depth === undefined || dayVolume === undefined) return null;
  return {
    symbol,
    profile,
    at: Number(at),
    mid: asPrice(mid ?? 0n),
    row: {
      halfSpread: halfSpread ?? 0n,
      volatility: volatility ?? 0n,
      dayVolume: asSize(dayVolume),
      depth: Number(depth),
    },
  };
}

/** Whole numbers beyond 2^53 as well. */
const parseNumber = (digits: string): bigint =>
  [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);

const levelsText = (levels: readonly Level[]): string =>
  levels.map(({ price, size }) => `${price}x${size}`).join();

/** Begins with `l`, which no name of a modelled book does. */
export function formatLiveQuoteId(
  key: KeyObject,
  { symbol, profile, at, mid, bids, asks }: Book & Omit<QuoteInputs, 'row'>,
): string {
  const body = `l${quotedProfiles.indexOf(profile)}.${at.toString(36)}`;
  const levels = [body, mid, levelsText(bids), levelsText(asks)].join('\u0000');
  return `${body}.${macOf(key, symbol, levels).toString('base64url')}`;
}
