/**
 * The figures of a text, in one form: every chunk with a digit, and number names such as "twenty-five". Pure. Invariant: what cannot be
 * read is `unreadable` and never skipped, so a caller that compares figures misses none.
 *
 * Known limitation: number names are those of English.
 */

type FigureSign = '+' | '-' | null;

/** A number as a text states it: `digits` × 10^-`decimals`, with the unit that stands at it, if any. */
export interface NumberFigure {
  readonly kind: 'number';
  readonly sign: FigureSign;
  readonly digits: bigint;
  readonly decimals: number;
  /** `money`, `percent`, `leverage`, `r`, `day`, `hour`, `minute`, `second`, `week`, `month`, `year`, or `asset:BTC`. */
  readonly unit: string | null;
}
export type Figure =
  | NumberFigure
  /** A date (ISO 8601, or `--11-28` without a year), a time of day, or a name with a digit such as `US30`, in lowercase. */
  | { readonly kind: 'date' | 'time' | 'name'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly text: string };

const monthNames = 'january|february|march|april|may|june|july|august|september|october|november|december';
const months = monthNames.split('|');
const monthPattern = `(${months.map((name) => `${name}|${name.slice(0, 3)}`).join('|')}|sept)\\.?`;
const dayFirst = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthPattern}(?:,? (\\d{4}))?\\b`, 'gi');
const monthFirst = new RegExp(`\\b${monthPattern} (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4})\\b)?`, 'gi');

/** One form for signs, spaces and digits: NFKC, ASCII minus, thousands joined. */
export function normaliseText(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replaceAll('\u2212', '-')
      // A dash before a figure is a minus where no figure or name precedes it.
      .replace(/(^|[\s(])[\u2010-\u2015](?=[$\d])/gu, '$1-')
      .replace(/[\u2010-\u2015]/gu, ' - ')
      .replace(/[\u2018\u2019]/gu, "'")
      .replace(/(?<![\d.,])(\d{1,3}(?:[ ']\d{3})+)(?!\d)/g, (grouped) => grouped.replace(/[ ']/g, ''))
  );
}

const numberShape =
  /^([+-]?)(\$|usdt|usd)?([+-]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%|x|×|r|usdt|usd|h|d|s|min|ms)?$/i;
const edges = /^[("'[{“”*_`~#]+|[)"'\]}“”*_`~.,;:!?]+$/g;

const attachedUnits: Readonly<Record<string, string>> = {
  '%': 'percent',
  x: 'leverage',
  '×': 'leverage',
  r: 'r',
  usdt: 'money',
  usd: 'money',
  $: 'money',
  h: 'hour',
  d: 'day',
  s: 'second',
  min: 'minute',
};

/** The unit that follows a number as a term of its own. */
const followingUnits: readonly (readonly [RegExp, string])[] = [
  [/^ ?%/, 'percent'],
  [/^ per ?cent\b/i, 'percent'],
  [/^ pct\b/i, 'percent'],
  [/^ (usdt|usd|us dollars?|dollars?)\b/i, 'money'],
  [/^ ?×/, 'leverage'],
  [/^ x\b/i, 'leverage'],
  [/^ r\b/, 'r'],
  [/^ R\b/, 'r'],
  [/^[ -](s|sec|secs|seconds?)\b/, 'second'],
  [/^[ -](min|mins|minutes?)\b/, 'minute'],
  [/^[ -](h|hrs?|hours?)\b/, 'hour'],
  [/^[ -](d|days?)\b/, 'day'],
  [/^[ -]weeks?\b/, 'week'],
  [/^[ -]months?\b/, 'month'],
  [/^[ -]years?\b/, 'year'],
  [/^ ?[\p{Sc}‰]/u, 'foreign'],
  [
    /^ (euros?|pounds?|yen|francs?|rupees?|rubles?|cents?|bips|bps|pips?|points?|percentage points?)\b/i,
    'foreign',
  ],
  [/^ (bitcoins?|ethers?|ethereum|satoshis?|coins?|shares?|ounces?)\b/i, 'foreign'],
  // A scale or a multiple makes another number of it.
  [/^ (k|m|mn|mio|mln|bn|grand|lakhs?|crores?|times|fold)\b/i, 'foreign'],
];
const assetAfter = /^ ([A-Z]{2,5}|btc|eth|sol|xrp|ada|bnb|ltc|doge)\b(?!\/)/;

function unitAfter(rest: string): string | null {
  for (const [pattern, unit] of followingUnits) if (pattern.test(rest)) return unit;
  const asset = assetAfter.exec(rest)?.[1];
  return asset === undefined ? null : `asset:${asset.toUpperCase()}`;
}

const pad = (text: string): string => text.padStart(2, '0');

/** Dates with the name of a month become ISO 8601. */
function datesOf(text: string): { readonly rest: string; readonly dates: readonly Figure[] } {
  const dates: Figure[] = [];
  const take = (day: string, month: string, year: string | undefined): string => {
    const index = months.findIndex((name) => name.startsWith(month.toLowerCase().slice(0, 3)));
    dates.push({ kind: 'date', text: `${year ?? '-'}-${pad(String(index + 1))}-${pad(day)}` });
    return ' ';
  };
  const rest = text
    .replace(dayFirst, (_, day: string, month: string, year?: string) => take(day, month, year))
    .replace(monthFirst, (_, month: string, day: string, year?: string) => take(day, month, year));
  return { rest, dates };
}

function toNumber(chunk: string, before: string, rest: string): NumberFigure | null {
  const found = numberShape.exec(chunk);
  if (!found) return null;
  const [, outer = '', prefix, inner = '', whole = '', fraction = '', suffix] = found;
  if (outer !== '' && inner !== '') return null;
  const sign = (outer || inner || null) as FigureSign;
  const currencyBefore = /(?:^|[\s(])(\$|usdt|usd) $/i.test(before) ? 'money' : null;
  const unit =
    (suffix === undefined ? null : (attachedUnits[suffix.toLowerCase()] ?? 'foreign')) ??
    (prefix === undefined ? null : 'money') ??
    unitAfter(rest) ??
    currencyBefore;
  return {
    kind: 'number',
    sign,
    digits: BigInt(whole.replaceAll(',', '') + fraction.slice(1)),
    decimals: Math.max(fraction.length - 1, 0),
    unit,
  };
}

function figuresOfChunk(raw: string, before: string, after: string): readonly Figure[] {
  const chunk = raw.replace(edges, '');
  // What was cut off at the end separates the number from the next term, but for a closing bracket of emphasis.
  const tail = /[.,;:!?]$/.test(raw) ? '' : after;
  if (/^\d{4}-\d{2}-\d{2}$/.test(chunk)) return [{ kind: 'date', text: chunk }];
  const time = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(chunk);
  if (time)
    return [{ kind: 'time', text: chunk.padStart(chunk.length + (time[1]?.length === 1 ? 1 : 0), '0') }];
  const number = toNumber(chunk, before, tail);
  if (number) return [number];
  // A range or a quotient is two numbers.
  const pair = /^([$\d.,]+%?)[-/]([$\d.,]+(?:%|x)?)$/i.exec(chunk);
  const parts = pair?.slice(1).map((part, index) => toNumber(part, '', index === 1 ? tail : ''));
  if (parts?.every((part) => part !== null)) return parts;
  const compound = /^(\d+)-(second|minute|hour|day|week|month|year)s?$/i.exec(chunk);
  if (compound) {
    return [
      {
        ...{ kind: 'number', sign: null, digits: BigInt(compound[1] ?? 0), decimals: 0 },
        unit: compound[2]?.toLowerCase() ?? null,
      },
    ];
  }
  if (/^[a-z][a-z\d&/._-]*$/i.test(chunk)) return [{ kind: 'name', text: chunk.toLowerCase() }];
  return [{ kind: 'unreadable', text: chunk }];
}

const small = [
  ...[
    'zero',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
  ],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const scales: Readonly<Record<string, bigint>> = {
  hundred: 100n,
  thousand: 1_000n,
  million: 1_000_000n,
  billion: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
};
export const numberNames: readonly string[] = [...small, ...tens, ...Object.keys(scales), 'dozen'];
const named = numberNames.join('|');
const nameRun = new RegExp(`\\b(?:${named})(?:[ -]+(?:and[ -]+)?(?:${named}))*\\b`, 'gi');
/** "hundreds of", "dozens": an amount that no fact has. */
const vagueName = /\b(hundreds|thousands|millions|billions|trillions|dozens|umpteen)\b/gi;
/** Spellings that are no name of a number, and would be read as none. */
const misspelt = new RegExp(
  `\\b(?:fourty|ninty|(?:${tens.join('|')})(?:${small.slice(1, 10).join('|')}))\\b`,
  'gi',
);
const leastNamed = 10n;
/** What small numbers count in a sentence about an account. */
const counted =
  /^(?: [a-z-]+){0,2} (?:positions?|trades?|orders?|deals?|wins?|winners?|losses|losers?|times|accounts?)\b|^ (?:out )?of\b/i;

function valueOfNames(run: string): bigint {
  let [total, current] = [0n, 0n];
  for (const name of run.toLowerCase().split(/[ -]+/)) {
    const [unit, ten] = [small.indexOf(name), tens.indexOf(name)];
    if (unit >= 0) current += BigInt(unit);
    else if (ten >= 0) current += BigInt(ten + 2) * 10n;
    else if (name === 'dozen') current = (current || 1n) * 12n;
    else if (name === 'hundred') current = (current || 1n) * 100n;
    else if (name !== 'and') {
      total += (current || 1n) * (scales[name] ?? 1n);
      current = 0n;
    }
  }
  return total + current;
}

/** Names of numbers above ten, and of smaller ones that stand before a unit or count what an account has. */
function namedFigures(text: string): readonly Figure[] {
  const figures: Figure[] = [];
  for (const { 0: run, index } of text.matchAll(nameRun)) {
    const digits = valueOfNames(run);
    const after = text.slice(index + run.length);
    // "five point two" is a number of which only the first part would be compared.
    if (/^ point [a-z]/i.test(after)) figures.push({ kind: 'unreadable', text: `${run} point` });
    const unit = unitAfter(after);
    // "One of" is no amount.
    const states = unit !== null || (digits > 1n && counted.test(after));
    if (digits > leastNamed || states)
      figures.push({ kind: 'number', sign: null, digits, decimals: 0, unit });
  }
  for (const pattern of [vagueName, misspelt])
    for (const { 0: unread } of text.matchAll(pattern)) figures.push({ kind: 'unreadable', text: unread });
  return figures;
}

/** All figures of a text, in no order. */
export function figuresOf(text: string): readonly Figure[] {
  const { rest, dates } = datesOf(normaliseText(text));
  const figures: Figure[] = [...dates];
  for (const { 0: chunk, index } of rest.matchAll(/\S+/g)) {
    if (!/\p{N}/u.test(chunk)) continue;
    // Digits of other scripts, fractions and circled numbers that NFKC leaves.
    if (/[^\P{N}0-9]/u.test(chunk)) figures.push({ kind: 'unreadable', text: chunk });
    else figures.push(...figuresOfChunk(chunk, rest.slice(0, index), rest.slice(index + chunk.length)));
  }
  return [...figures, ...namedFigures(rest)];
}
