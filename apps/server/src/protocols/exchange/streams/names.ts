/** Names of streams, as clients write them: `btcusdt@depth5@100ms`, `!miniTicker@arr`. Null for one that is not offered. */

/** The intervals of candles that `klines` has. */
export type IsInterval = (interval: string) => boolean;

export type StreamName =
  | { readonly kind: 'depth'; readonly id: string; readonly levels: number | null; readonly everyMs: number }
  | { readonly kind: 'kline'; readonly id: string; readonly interval: string; readonly everyMs: number }
  | {
      readonly kind: 'bookTicker' | 'trade' | 'aggTrade' | 'markPrice' | 'miniTicker' | 'ticker';
      /** The exchange's name of the symbol; null for all symbols in one message. */
      readonly id: string | null;
      readonly everyMs: number;
    };

const depthForm = /^depth(?<levels>5|10|20)?(?:@(?<speed>100|250|500)ms)?$/;
const klineForm = /^kline_(?<interval>\w{2,3})$/;
const markPriceForm = /^markPrice(?<every>@1s)?$/;
/** Every so long, if there is something new. */
const paceMs = { bookTicker: 100, trade: 100, aggTrade: 100, miniTicker: 1_000, ticker: 1_000 } as const;

/** One spelling of a name: its symbol in small letters. */
export function canonicalName(name: string): string {
  const at = name.indexOf('@');
  return at <= 0 || name.startsWith('!') ? name : name.slice(0, at).toLowerCase() + name.slice(at);
}

export function parseStreamName(name: string, isInterval: IsInterval): StreamName | null {
  if (name.startsWith('!')) return parseAll(name.slice(1));
  const at = name.indexOf('@');
  if (at <= 0) return null;
  const id = name.slice(0, at).toUpperCase();
  const form = name.slice(at + 1);
  const depth = depthForm.exec(form)?.groups;
  if (depth) {
    const { levels, speed = '250' } = depth;
    return {
      kind: 'depth',
      id,
      levels: levels === undefined ? null : Number(levels),
      everyMs: Number(speed),
    };
  }
  const interval = klineForm.exec(form)?.groups?.interval;
  if (interval !== undefined)
    return isInterval(interval) ? { kind: 'kline', id, interval, everyMs: 500 } : null;
  const markPrice = markPriceForm.exec(form)?.groups;
  if (markPrice) return { kind: 'markPrice', id, everyMs: markPrice.every === undefined ? 3_000 : 1_000 };
  return isPaced(form) ? { kind: form, id, everyMs: paceMs[form] } : null;
}

function parseAll(form: string): StreamName | null {
  if (form === 'bookTicker') return { kind: 'bookTicker', id: null, everyMs: 1_000 };
  if (form === 'miniTicker@arr') return { kind: 'miniTicker', id: null, everyMs: 1_000 };
  if (form === 'ticker@arr') return { kind: 'ticker', id: null, everyMs: 1_000 };
  if (form === 'markPrice@arr') return { kind: 'markPrice', id: null, everyMs: 3_000 };
  if (form === 'markPrice@arr@1s') return { kind: 'markPrice', id: null, everyMs: 1_000 };
  return null;
}

const isPaced = (form: string): form is keyof typeof paceMs => Object.hasOwn(paceMs, form);
