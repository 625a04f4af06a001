/** In the foot of the phone's sheet: the margin and the liquidation prices, whatever of the form is scrolled out of sight. */
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { formatAmount, LiveFigure, usePriceFormat } from '../../../shared/numbers/index.ts';
import { liquidationOf, marginOf } from './order-figures.ts';
import type { Ticket } from './useTicket.ts';
import { useSettledFigure } from './useTicketValue.ts';

export function FootSummary({ ticket }: { readonly ticket: Ticket }) {
  const { tickSize } = ticket.pair;
  const format = usePriceFormat(tickSize);
  return (
    // The list above says the same to a screen reader.
    <p
      aria-hidden="true"
      className="mb-2 flex flex-wrap justify-between gap-x-3 text-12 leading-4 whitespace-nowrap text-text-2"
    >
      <span>
        Margin{' '}
        <LiveFigure
          source={useSettledFigure(ticket, marginOf)}
          format={formatAmount}
          flashes={false}
          className="text-text"
        />
      </span>
      <span>
        Liq.{' '}
        <LiveFigure
          source={useSettledFigure(ticket, liquidationOf.BUY)}
          format={format}
          shorten={foldZeros}
          flashes={false}
          className="text-up"
        />
        {' / '}
        <LiveFigure
          source={useSettledFigure(ticket, liquidationOf.SELL)}
          format={format}
          shorten={foldZeros}
          flashes={false}
          className="text-down"
        />
      </span>
    </p>
  );
}
