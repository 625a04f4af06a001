/** What the warnings before an order show, for the sides that it may be sent for. Pure. */
import {
  type AccountAtStake,
  type Alike,
  correlationHoursMin,
  type OrderAtStake,
  type OwnRules,
  orderFactsOf,
  type PairLimits,
  type Price,
  type RuleSet,
  type Side,
  type Size,
  sides,
  type WarningId,
  warningIds,
  warningsOf,
} from '@fulcrum/domain';
import type { ParsedPrice } from '../../shared/decimals/price.ts';

/** What the order form holds: an order that is not sent yet. */
export interface TypedOrder {
  readonly symbol: string;
  readonly protection: Readonly<Record<Side, { readonly stopLoss: ParsedPrice }>>;
  readonly terms: Pick<OrderAtStake, 'feeRate' | 'leverage'> & {
    readonly limits: Pick<PairLimits, 'tickSize' | 'maxQty'>;
    readonly rules: Pick<RuleSet, 'name'>;
    readonly price: Price | null;
    readonly size: Size | null;
  };
}

interface WarningLine {
  readonly sentence: string;
  /** Null where it is the same for both. */
  readonly side: Side | null;
  /** Of positions that move with the order; empty for the other rules. */
  readonly alike: readonly string[];
}

export interface ShownWarning {
  readonly rule: WarningId;
  /** One, or one for each side. */
  readonly lines: readonly WarningLine[];
}

export interface ShownWarnings {
  readonly found: readonly ShownWarning[];
  readonly unchecked: readonly { readonly rule: WarningId; readonly reason: string }[];
}

const alikeText = ({ symbol, basis, correlation }: Alike): string => {
  switch (basis) {
    case 'same symbol':
      return `${symbol} (the same symbol)`;
    case 'correlation':
      return `${symbol} (correlation ${correlation?.toFixed(2)} in the last hours)`;
    case 'same market':
      return `${symbol} (of the same kind; fewer than ${correlationHoursMin} hours to compare)`;
    case 'same market, unread':
      return `${symbol} (of the same kind; the hours to compare could not be read)`;
  }
};

/** Null without an order that opens something. */
export function shownWarnings(
  { symbol, protection, terms }: TypedOrder,
  { side: chosen, reduceOnly }: { readonly side: Side | null; readonly reduceOnly: boolean },
  account: AccountAtStake,
  /** Null where they could not be read. */
  own: OwnRules | null,
): ShownWarnings | null {
  const { price, size, limits, rules } = terms;
  if (price === null || size === null || size <= 0n || size > limits.maxQty) return null;
  const checked = sides.flatMap((side) => {
    const { stopLoss } = protection[side];
    const stop = stopLoss.kind === 'price' ? stopLoss.price : null;
    // The form refuses the other side of such a stop loss.
    const isRefused = stop !== null && (side === 'BUY' ? stop >= price : stop <= price);
    if (isRefused || (chosen !== null && chosen !== side)) return [];
    const { tickSize } = limits;
    const order = { ...terms, symbol, side, price, size, tickSize, rules: rules.name, stopLossPrice: stop };
    const sheet = orderFactsOf({ ...order, reduceOnly }, account);
    return sheet === null ? [] : [{ side, sheet, ...warningsOf(sheet, own) }];
  });
  const [first] = checked;
  if (first === undefined) return null;
  const linesOf = (rule: WarningId): readonly WarningLine[] => {
    const lines = checked.flatMap(({ side, sheet, found }) =>
      found
        .filter((one) => one.rule === rule)
        .map(({ sentence }): WarningLine => {
          const alike = rule === 'order_moves_alike' ? [...new Set(sheet.alike.map(alikeText))] : [];
          return { sentence, side, alike };
        }),
    );
    const [one, other] = lines;
    const isSame = one && other && one.sentence === other.sentence && `${one.alike}` === `${other.alike}`;
    return isSame ? [{ ...one, side: null }] : lines;
  };
  const found = warningIds.flatMap((rule) => {
    const lines = linesOf(rule);
    return lines.length === 0 ? [] : [{ rule, lines }];
  });
  return { found, unchecked: first.unchecked };
}
