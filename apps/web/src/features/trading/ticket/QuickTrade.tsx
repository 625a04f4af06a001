/**
 * Sell and Buy over the chart: they press the order form's buttons with what is typed there, its confirmation included.
 * Without an amount they go to the amount.
 */
import { sideLabel } from '../../../shared/account/index.ts';
import { orderTypeNames } from './order-types.ts';
import { amountNames } from './TicketFields.tsx';
import type { Ticket } from './useTicket.ts';
import { useIsBlocked } from './useTicketValue.ts';

function QuickButton({ ticket, side }: { readonly ticket: Ticket; readonly side: 'BUY' | 'SELL' }) {
  const { state, submit, amountField, pair } = ticket;
  const isBlocked = useIsBlocked(ticket, side);
  const amount = state.typed.amount.trim();
  const verb = side === 'BUY' ? 'Buy' : 'Sell';
  const name =
    amount === ''
      ? `${verb} from the chart: enter an amount first`
      : `${verb} from the chart: ${orderTypeNames[state.type]} ${sideLabel(side).toLowerCase()} ${pair.symbol} with the form's amount`;
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-disabled={(isBlocked && amount !== '') || undefined}
      onClick={() => {
        if (amount === '') amountField.current?.focus();
        else if (!isBlocked) submit(side);
      }}
      className={`h-7 px-3 text-12 font-semibold aria-disabled:opacity-50 ${
        side === 'BUY' ? 'text-up hover:bg-up-weak' : 'text-down hover:bg-down-weak'
      }`}
    >
      {verb}
    </button>
  );
}

export function QuickTrade({ ticket }: { readonly ticket: Ticket }) {
  const { amount, unit } = ticket.state.typed;
  return (
    <fieldset
      aria-label="Trade from the chart"
      className="flex items-center divide-x divide-line-strong overflow-hidden rounded-control border border-line-strong bg-surface/90"
    >
      <QuickButton ticket={ticket} side="SELL" />
      <button
        type="button"
        onClick={() => ticket.amountField.current?.focus()}
        title="Go to the amount"
        className="figures h-7 max-w-28 truncate px-2.5 text-12 text-text-2 hover:text-text"
      >
        {amount.trim() === '' ? 'Amount' : `${amount} ${amountNames[unit] ?? ticket.pair.baseAsset}`}
      </button>
      <QuickButton ticket={ticket} side="BUY" />
    </fieldset>
  );
}
