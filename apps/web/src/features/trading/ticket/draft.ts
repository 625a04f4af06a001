/** The order that the form would send, with what identifies it after a lost answer. */
import { type BasicOrderType, type Price, type Side, toDecimalString } from '@fulcrum/domain';
import type { NetTerms } from '../../order-book/index.ts';
import type { TypedProtection } from './protection-units.ts';
import type { OrderDraft, TicketTexts } from './ticket.ts';
import { getTypedPrice, type OrderFacts } from './validators.ts';

const decimalOf = (price: Price | null): string | null => (price === null ? null : toDecimalString(price));

/** Only of those that the order has: protection that is switched off still has its texts. */
function distancesOf(
  { takeProfit, stopLoss }: TypedProtection,
  { protectionUnit, ...texts }: TicketTexts,
): string | null {
  if (takeProfit.kind === 'empty' && stopLoss.kind === 'empty') return null;
  const part = (kind: TypedProtection['stopLoss']['kind'], text: string) =>
    kind === 'empty' ? 'none' : text;
  return [protectionUnit, part(takeProfit.kind, texts.takeProfit), part(stopLoss.kind, texts.stopLoss)].join(
    ' ',
  );
}

/** A market order waits for nothing, whatever was chosen for a limit order before. */
const netTermsOf = (type: BasicOrderType, terms: NetTerms): NetTerms =>
  type === 'MARKET' ? { ...terms, timeInForce: 'GTC' } : terms;

/** The order that the facts describe; null while a part of it is missing. */
export function draftOf(
  side: Side,
  { symbol, type, terms, amount, protection, protectionUnit }: OrderFacts,
  texts: TicketTexts,
  netTerms: NetTerms,
): OrderDraft | null {
  const { price, size, leverage } = terms;
  if (size === null || price === null || amount.kind !== 'amount') return null;
  const { takeProfit, stopLoss } = protection[side];
  return {
    symbol,
    type,
    side,
    size: toDecimalString(size),
    entered: { unit: texts.unit, value: toDecimalString(amount.size) },
    leverage,
    price: toDecimalString(price),
    distances: protectionUnit === 'price' ? null : distancesOf(protection[side], texts),
    takeProfitPrice: decimalOf(getTypedPrice(takeProfit)),
    stopLossPrice: decimalOf(getTypedPrice(stopLoss)),
    netTerms: terms.rules.name === 'perpetual' ? netTermsOf(type, netTerms) : null,
  };
}
