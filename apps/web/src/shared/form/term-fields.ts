/** Fields of what gives accounts their terms, a class or a contest: times, a balance and symbols as they are typed. */
import { minuteMs, practiceBalance, toDecimalString } from '@fulcrum/domain';
import { parseAmount } from '../decimals/amount.ts';

/** The longest symbol that the server reads. */
const symbolCharsMax = 32;

/** A time as a field for a local date and time shows it. */
export function toLocalTime(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}

/** Null for a text that is no time, or one of a year that has more than four digits. */
export const toIsoTime = (local: string): string | null =>
  /^\d{4}-/.test(local) && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : null;

/** Null for a text that is no start balance. */
export function toStartBalance(text: string): string | null {
  const parsed = parseAmount(text);
  if (parsed.kind !== 'amount') return null;
  const { size } = parsed;
  return size >= practiceBalance.min && size <= practiceBalance.max ? toDecimalString(size) : null;
}

export const toSymbols = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((name) => name !== ''),
  ),
];

/** Null, or the objection; the server checks whether each symbol is known. */
export function checkSymbols(text: string, most: number): string | null {
  const symbols = toSymbols(text);
  if (symbols.length > most) return `Name at most ${most} symbols, or leave it empty for every market.`;
  const long = symbols.find((symbol) => symbol.length > symbolCharsMax);
  return long === undefined
    ? null
    : `There is no market ${long.slice(0, symbolCharsMax)}… Check the symbols.`;
}
