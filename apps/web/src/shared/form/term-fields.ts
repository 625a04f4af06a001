/** The fields of what gives accounts their terms, such as a class or a contest, as they are typed: their objections, and what is sent. */
import {
  checkAccountName,
  MAX_LEVERAGE,
  MAX_OPEN_POSITIONS,
  minuteMs,
  practiceBalance,
  toDecimalString,
} from '@fulcrum/domain';
import { parseAmount } from '../decimals/amount.ts';
import { isWholeTo } from '../decimals/whole.ts';

/** The longest symbol that the server reads. */
const symbolCharsMax = 32;

/** A time as a field for a local date and time shows it. */
export function toLocalTime(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}

/** Null for a text that is no time, or one of a year that has more than four digits. */
export const toIsoTime = (local: string): string | null =>
  /^\d{4}-/.test(local) && !Number.isNaN(Date.parse(local)) ? new Date(local).toISOString() : null;

/** A stored time as its field shows it. */
export const localOf = (iso: string): string => toLocalTime(Date.parse(iso));

/** What is sent of a time: one that was not touched goes as it is stored, with its seconds. */
export const timeOf = (local: string, stored: string | undefined): string =>
  stored !== undefined && localOf(stored) === local ? stored : (toIsoTime(local) ?? '');

export const noTime = 'Choose a date and a time.';

/** Null for a text that is no start balance. */
function toStartBalance(text: string): string | null {
  const parsed = parseAmount(text);
  if (parsed.kind !== 'amount') return null;
  const { size } = parsed;
  return size >= practiceBalance.min && size <= practiceBalance.max ? toDecimalString(size) : null;
}

const toSymbols = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((name) => name !== ''),
  ),
];

/** Null, or the objection; the server checks whether each symbol is known. */
function checkSymbols(text: string, most: number): string | null {
  const symbols = toSymbols(text);
  if (symbols.length > most) return `Name at most ${most} symbols, or leave it empty for every market.`;
  const long = symbols.find((symbol) => symbol.length > symbolCharsMax);
  return long === undefined
    ? null
    : `There is no market ${long.slice(0, symbolCharsMax)}… Check the symbols.`;
}

/** The terms of an account as they are typed. Empty symbols and positions are no limit. */
export interface TermsForm {
  readonly name: string;
  readonly balance: string;
  readonly leverage: string;
  readonly symbols: string;
  readonly positions: string;
}

export const toTermsForm = (saved: {
  readonly name: string;
  readonly startBalance: number | string;
  readonly leverageMax: number;
  readonly symbols: readonly string[] | null;
  readonly positionsMax: number | null;
}): TermsForm => ({
  name: saved.name,
  balance: String(saved.startBalance),
  leverage: String(saved.leverageMax),
  symbols: saved.symbols?.join(', ') ?? '',
  positions: saved.positionsMax === null ? '' : String(saved.positionsMax),
});

/** The objection to each field, null without one; `what` has the terms, such as a contest. */
export function checkTerms(
  { name, balance, leverage, symbols, positions }: TermsForm,
  what: string,
  symbolsMax: number,
): Readonly<Record<keyof TermsForm, string | null>> {
  const { min, max } = practiceBalance;
  return {
    name: name.trim() === '' ? `Give the ${what} a name.` : checkAccountName(name),
    balance:
      toStartBalance(balance) === null
        ? `Type an amount from ${toDecimalString(min)} to ${toDecimalString(max)}, such as 10000.`
        : null,
    leverage: isWholeTo(leverage, MAX_LEVERAGE) ? null : `Type a whole number from 1 to ${MAX_LEVERAGE}.`,
    symbols: checkSymbols(symbols, symbolsMax),
    positions:
      positions.trim() === '' || isWholeTo(positions, MAX_OPEN_POSITIONS)
        ? null
        : `Type a whole number from 1 to ${MAX_OPEN_POSITIONS}, or leave it empty.`,
  };
}

/** The limits of a form without objections. */
export function toLimits({ balance, leverage, symbols, positions }: TermsForm) {
  const named = toSymbols(symbols);
  return {
    startBalance: toStartBalance(balance) ?? '',
    leverageMax: Number(leverage),
    symbols: named.length === 0 ? null : named,
    positionsMax: positions.trim() === '' ? null : Number(positions),
  };
}
