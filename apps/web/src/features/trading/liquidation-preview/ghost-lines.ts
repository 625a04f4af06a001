/** Where a position of each side would be liquidated if it were opened now: lines on the chart while leverage is being chosen. */
import { toNumber } from '@fulcrum/domain';
import { formatPrice } from '../../../shared/numbers/index.ts';
import type { PriceLine } from '../../market/index.ts';
import type { Ticket } from '../ticket/useTicket.ts';

const none: readonly PriceLine[] = [];
const parts = () => [{ text: 'if opened now', tone: 'none', narrowText: '' }] as const;

export function ghostLines({ pair, previews, state, factsOf }: Ticket): readonly PriceLine[] {
  if (!previews) return none;
  const { liquidationLong, liquidationShort } = factsOf(state.settled).summary;
  return [
    { side: 'LONG', price: liquidationLong } as const,
    { side: 'SHORT', price: liquidationShort } as const,
  ].flatMap(({ side, price: exact }) => {
    if (exact === null) return [];
    const price = toNumber(exact);
    const priceText = formatPrice(price, pair.tickSize);
    return [
      {
        id: `preview-${side}`,
        kind: 'liquidation',
        side,
        price,
        priceText,
        head: `LIQ ${side}`,
        parts,
        name: `A ${side.toLowerCase()} opened now is liquidated at ${priceText}`,
      } as const,
    ];
  });
}
