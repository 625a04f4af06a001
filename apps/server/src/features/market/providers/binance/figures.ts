/** The exchange's numbers, which it sends as strings: only a string that is a number as a whole is valid (A36). */
import { parseDecimal } from '@fulcrum/domain';
import type { DayFigures } from '../../feed.ts';

const plainDecimal = /^-?\d{1,20}(\.\d{1,20})?$/;

/** Null for whatever is no finite number. */
function readDecimal(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && plainDecimal.test(value) ? Number(value) : null;
}

/** Null below zero too. */
export function readAmount(value: unknown): number | null {
  const number = readDecimal(value);
  return number !== null && number >= 0 ? number : null;
}

const exactDecimal = /^\d{1,10}(\.\d{1,8}0*)?$/;

/** Exactly, in units of 1e-8; null for whatever is no number above zero of at most eight places. */
export function readUnits(value: unknown): bigint | null {
  if (typeof value !== 'string' || value.length > 24 || !exactDecimal.test(value)) return null;
  const units = parseDecimal(value);
  return units > 0n ? units : null;
}

/** Milliseconds since the epoch; null for whatever is no instant after it that a date can express. */
export function readInstant(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 8.64e15 ? value : null;
}

/** The 24-hour figures of a message, before they are checked. */
interface UncheckedDayFigures {
  readonly percent: unknown;
  readonly volume: unknown;
  readonly quoteVolume: unknown;
  readonly high: unknown;
  readonly low: unknown;
}

/** Undefined when the message states none; a figure that is missing or no number is null, a volume then 0 (A34). */
export function dayFigures(stated: UncheckedDayFigures): DayFigures | undefined {
  if (Object.values(stated).every((figure) => figure === undefined)) return undefined;
  const percent = readDecimal(stated.percent);
  const high = readAmount(stated.high);
  const low = readAmount(stated.low);
  return {
    priceChangePercent: percent !== null && percent >= -100 ? percent : null,
    volume: readAmount(stated.volume) ?? 0,
    quoteVolume: readAmount(stated.quoteVolume) ?? 0,
    high: high || null,
    low: low || null,
  };
}
