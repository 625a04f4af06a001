/** The distance of the nearer liquidation price while a leverage is chosen; how often the market moved so far comes with it. */
import { toNumber } from '@fulcrum/domain';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { LiquidationChance } from '../../coach/index.ts';
import type { Ticket } from '../ticket/useTicket.ts';
import { useTicketValue } from '../ticket/useTicketValue.ts';

const percentDecimals = 2;

/** The smaller distance of both liquidation prices, in per cent of the price; null without a price. */
function nearestLiquidation({ factsOf, state }: Ticket): number | null {
  const { terms, summary } = factsOf(state.settled);
  const { liquidationLong, liquidationShort } = summary;
  if (terms.price === null || liquidationLong === null || liquidationShort === null) return null;
  const price = toNumber(terms.price);
  const distances = [price - toNumber(liquidationLong), toNumber(liquidationShort) - price];
  return (Math.min(...distances) / price) * 100;
}

export function LiquidationPreview({ ticket }: { readonly ticket: Ticket }) {
  const percent = useTicketValue(ticket, () => {
    const distance = nearestLiquidation(ticket);
    return distance === null ? null : formatFigure(distance, percentDecimals);
  });
  return percent === null ? null : (
    <LiquidationChance symbol={ticket.pair.symbol} percent={percent} waiting={null} />
  );
}
