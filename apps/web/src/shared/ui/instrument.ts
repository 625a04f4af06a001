/** What an instrument's mark shows: letters, and what each letter's hue is taken from. No brand logos, no flags. */

export interface InstrumentLetters {
  /** One, or two for the sides of a currency pair. */
  readonly letters: readonly string[];
  /** Of the same length: the name that gives the letter's circle its hue. */
  readonly hues: readonly string[];
}

/** Signs that one letter's room is enough for, and that the house's type has. */
const currencySigns: Readonly<Record<string, string>> = {
  EUR: '€',
  USD: '$',
  GBP: '£',
  JPY: '¥',
  CNH: '¥',
  INR: '₹',
  TRY: '₺',
  ILS: '₪',
};

/** XAUUSD: ISO 4217 names a metal by X and its chemical symbol. */
const metal = /^X([A-Z])([A-Z])USD$/;

export function instrumentLetters(symbol: string): InstrumentLetters {
  const [base = '', quote] = symbol.split('/');
  if (quote !== undefined) {
    const sides = [base, quote];
    return { letters: sides.map((code) => currencySigns[code] ?? code.charAt(0)), hues: sides };
  }
  const [, first, second = ''] = metal.exec(symbol) ?? [];
  const letters = first === undefined ? symbol.charAt(0) : `${first}${second.toLowerCase()}`;
  return { letters: [letters], hues: [symbol] };
}

/** A hue in degrees that a name keeps. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}
