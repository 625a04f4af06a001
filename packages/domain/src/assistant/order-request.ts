/**
 * Reads "buy 0.1 BTC at 10x": an order that the order form is filled with. Pure. Invariant: nothing is guessed or left out: without a symbol
 * that means one pair the request is incomplete, as it is with a term that is not understood, and an amount in USDT is not converted.
 */
import { isLeverage } from '../margin.ts';
import type { TradingPair } from '../pairs.ts';
import type { Side } from '../states.ts';

export interface OrderRequest {
  readonly symbol: string;
  readonly side: Side;
  /** In the base asset, as typed; null: not stated. */
  readonly amount: string | null;
  readonly leverage: number | null;
  readonly stopLoss: string | null;
  readonly takeProfit: string | null;
}
export type OrderReading =
  | { readonly kind: 'order'; readonly order: OrderRequest }
  /** `reason` completes "The order form was not filled: …". */
  | { readonly kind: 'incomplete'; readonly reason: string }
  /** Another action that only the user may take. */
  | { readonly kind: 'action' };

type NamedPair = Pick<TradingPair, 'symbol' | 'name' | 'nickname' | 'baseAsset' | 'quoteAsset'>;

const polite =
  /^(please|can you|could you|would you|i (want|would like|'d like) to|i wanna|let me|let's|go|open a|open|place an? order to|place)\s+/;
const verbs: Readonly<Record<string, Side>> = { buy: 'BUY', long: 'BUY', sell: 'SELL', short: 'SELL' };
const actions =
  /^(close|cancel|move|set|amend|reverse|flip|reset|withdraw|deposit|transfer|liquidate|place)\b(?!.*\?$)/;
const figure = String.raw`(\d+(?:[.,]\d+)*)`;
const leveragePattern = new RegExp(
  String.raw`(?:\b(?:at|with|on)\s+)?(?:${figure}\s*[x×](?![a-z\d])|\bleverage(?:\s+of)?\s+${figure}|${figure}\s+(?:times\s+)?leverage)`,
);
/** Not a share, nor thousands. */
const asPrice = String.raw`(?![\d.,]*\s*(?:%|[km]\b|r\b|pips?\b|percent))`;
/** An amount of money: a currency on either side, a share, or "for 500". */
const moneyPattern = new RegExp(
  String.raw`[$€£]\s*${figure}|${figure}\s*(?:[$€£%]|(?:usdt|usd|dollars?|eur|euros?|percent|k|m)\b)|\bfor\s+${figure}`,
);
/** What a request may say besides. */
const fillers = new Set(
  'of at with on a an the in and to some now please market order position long short leverage size amount coins units thanks'.split(
    ' ',
  ),
);
const stopPattern = new RegExp(
  String.raw`\b(?:with\s+)?(?:an?\s+)?(?:stop[ -]?loss|stop|sl)\s*(?:at|of|=|:)?\s*${figure}${asPrice}`,
);
const profitPattern = new RegExp(
  String.raw`\b(?:with\s+)?(?:an?\s+)?(?:take[ -]?profit|target|tp)\s*(?:at|of|=|:)?\s*${figure}${asPrice}`,
);

/** A plain decimal; thousands are removed. Null where a comma could be either. */
function toDecimal(typed: string): string | null {
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/.test(typed)) return typed.replaceAll(',', '');
  return /^\d+(\.\d+)?$/.test(typed) ? typed : null;
}

/** Names are compared from this length on: shorter ones are often terms of a sentence. */
const nameLengthMin = 4;

const terms = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}/&]+/gu, ' ').trim()} `;

/**
 * The pair that a text names by its symbol, base asset, name or nickname; null for none, `several` where it could mean more than one.
 * `cased`: symbols and assets count in capitals alone, since a sentence has terms such as "near" or "now".
 */
export function findNamedPair<P extends NamedPair>(
  text: string,
  pairs: readonly P[],
  assets: 'cased' | 'any case',
): P | 'several' | null {
  const cased = terms(text);
  const lower = cased.toLowerCase();
  const hasAsset = (asset: string): boolean =>
    assets === 'cased' ? cased.includes(` ${asset} `) : lower.includes(` ${asset.toLowerCase()} `);
  const hasName = (name: string | null): name is string =>
    name !== null && name.length >= nameLengthMin && lower.includes(terms(name).toLowerCase());
  const found: { readonly pair: P; readonly name: string }[] = [];
  for (const pair of pairs) {
    const { symbol, baseAsset, name, nickname } = pair;
    // BTC of BTCUSDT; of EUR/USD the base alone could mean several.
    const named = [symbol, symbol.replace('/', ''), ...(symbol.includes('/') ? [] : [baseAsset])].filter(
      hasAsset,
    );
    for (const one of [...named, ...[name, nickname].filter(hasName)])
      found.push({ pair, name: one.toLowerCase() });
  }
  // "Bitcoin" is a part of "Bitcoin Cash".
  const whole = found.filter(
    ({ name }) => !found.some((other) => other.name !== name && other.name.includes(name)),
  );
  const [first, ...others] = new Set(whole.map(({ pair }) => pair));
  if (first === undefined) return null;
  return others.length === 0 ? first : 'several';
}

/** Null for a text that is no order. */
export function readOrderRequest(question: string, pairs: readonly NamedPair[]): OrderReading | null {
  let text = question
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(polite, '');
  }
  const verb = /^(buy|long|sell|short)\b/.exec(text)?.[1];
  if (verb === undefined) {
    return actions.test(
      question
        .toLowerCase()
        .trim()
        .replace(/^(please|can you|could you)\s+/, ''),
    )
      ? { kind: 'action' }
      : null;
  }
  // "long or short?" is a question.
  if (question.trim().endsWith('?') && !/\d/.test(text)) return null;
  // What the user has already is closed, not sold again.
  if (/\bmy\b/.test(text)) return { kind: 'action' };
  const side = verbs[verb] ?? 'BUY';
  let rest = text.slice(verb.length);
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(rest);
    if (!found) return null;
    rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`;
    return found.slice(1).find((group) => group !== undefined) ?? null;
  };
  const [stop, profit, lever] = [take(stopPattern), take(profitPattern), take(leveragePattern)];
  const pair = findNamedPair(rest, pairs, 'any case');
  if (pair === null)
    return { kind: 'incomplete', reason: 'it names no symbol that is listed here, such as BTCUSDT.' };
  if (pair === 'several')
    return {
      kind: 'incomplete',
      reason: 'the name could mean several symbols. Use the full symbol, such as BTCUSDT.',
    };
  // Symbols may have digits of their own.
  const bare = [pair.symbol, pair.name, pair.nickname].reduce<string>(
    (left, name) => (name === null ? left : left.replaceAll(name.toLowerCase(), ' ')),
    rest,
  );
  const numbers = bare.match(/\d[\d.,]*/g)?.map((typed) => typed.replace(/[.,]$/, '')) ?? [];
  if (numbers.length > 1) return { kind: 'incomplete', reason: 'it has more than one amount.' };
  const [typed] = numbers;
  if (typed !== undefined && moneyPattern.test(bare) && !pair.symbol.startsWith('USD')) {
    return {
      kind: 'incomplete',
      reason: `the amount has to be in ${pair.baseAsset}. The order form converts an amount in ${pair.quoteAsset}.`,
    };
  }
  const known = new Set(
    [pair.symbol, pair.baseAsset, pair.quoteAsset].flatMap((name) => name.toLowerCase().split('/')),
  );
  const unknown = bare
    .replace(/\d[\d.,]*/g, ' ')
    .split(/[^\p{L}'-]+/u)
    .find((term) => term !== '' && !fillers.has(term) && !known.has(term));
  if (unknown !== undefined) {
    return {
      kind: 'incomplete',
      reason: `"${unknown}" is not understood. It reads a side, an amount, a symbol, a leverage, a stop loss and a take profit.`,
    };
  }
  const decimals = [typed, stop, profit].map((one) =>
    one === undefined || one === null ? null : toDecimal(one),
  );
  if (
    [typed, stop, profit].some((one, index) => one !== undefined && one !== null && decimals[index] === null)
  ) {
    return { kind: 'incomplete', reason: 'a number could be read in two ways. Use a dot for decimals.' };
  }
  const leverage = lever === null ? null : Number(lever);
  if (leverage !== null && !isLeverage(leverage)) {
    return { kind: 'incomplete', reason: 'the leverage has to be a whole number from 1 to 125.' };
  }
  const [amount = null, stopLoss = null, takeProfit = null] = decimals;
  return { kind: 'order', order: { symbol: pair.symbol, side, amount, leverage, stopLoss, takeProfit } };
}
