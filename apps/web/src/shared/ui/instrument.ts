/** The content of an instrument's mark: letters, and the name that determines each letter's hue. No brand logos, no flags. */

export interface InstrumentLetters {
  /** Two letters, or one for each side of a currency pair. */
  readonly letters: readonly string[];
  /** Same length as `letters`: the name that determines the hue of the letter's circle. */
  readonly hues: readonly string[];
}

/** Currency signs that fit in one letter's space and exist in the app's font. */
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
  const letters = first === undefined ? symbol.slice(0, 2) : `${first}${second.toLowerCase()}`;
  return { letters: [letters], hues: [symbol] };
}

/** A stable hue for a name, in degrees. */
export function hueOf(name: string): number {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}
