/** The two order buttons, and beneath them the rule that blocks them or the outcome of the order. */
import { texts } from '@fulcrum/contract/texts';
import { type Side, sides, toNumber } from '@fulcrum/domain';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { Button } from '../../../shared/ui/index.ts';
import { OpeningCountdown } from '../../market/index.ts';
import { OrderConfirmation } from './OrderConfirmation.tsx';
import type { Ticket } from './useTicket.ts';
import { useFailedRule, useIsBlocked, useTicketValue } from './useTicketValue.ts';
import { lateText, buttonNames as names } from './validators.ts';

const tones = { calm: 'text-text-2', warn: 'text-warn', error: 'text-down' } as const;

/** The outcome of sending the order, in figures. */
function useOutcomeText(ticket: Ticket): string {
  const { pair, state, factsOf } = ticket;
  return useTicketValue(ticket, () => {
    const { type, market, priceStatus, terms, summary } = factsOf(state.settled);
    const { openingFee, requiredMargin, requiredTotal } = summary;
    if (terms.size === null || terms.price === null) return '';
    if (ticket.isNet) {
      const size = `${formatSize(toNumber(terms.size), pair.stepSize)} ${pair.baseAsset}`;
      const limit = `at ${formatPrice(toNumber(terms.price), pair.tickSize)} or better`;
      return `Trades ${size} ${type === 'MARKET' ? 'on the order book' : limit}.`;
    }
    if (openingFee === null || requiredMargin === null || requiredTotal === null) return '';
    const price = formatPrice(toNumber(terms.price), pair.tickSize);
    if (type === 'MARKET') {
      const size = `${formatSize(toNumber(terms.size), pair.stepSize)} ${pair.baseAsset}`;
      const margin = formatAmount(toNumber(requiredMargin));
      return `Opens ${size} at about ${price} and locks ${margin} USDT until you close.`;
    }
    const reserved = formatAmount(toNumber(requiredTotal));
    if (type === 'STOP' || market === null || priceStatus !== 'fresh') {
      return `The order reserves ${reserved} USDT and waits for ${price}.`;
    }
    // A limit order at the market price or better fills at once.
    if (market === terms.price) return `Either order fills at once, at ${price} or better.`;
    const [waiting, filling] = market > terms.price ? [names.BUY, names.SELL] : [names.SELL, names.BUY];
    return `${waiting} reserves ${reserved} USDT and waits; ${filling} fills at once.`;
  });
}

function RuleLine({ ticket, id }: { readonly ticket: Ticket; readonly id: string }) {
  const failed = useFailedRule(ticket);
  const outcomeText = useOutcomeText(ticket);
  const { error } = ticket.state;
  const text = error ?? failed?.text ?? (ticket.isPriceLate ? lateText : outcomeText);
  const freeTone = ticket.isPriceLate ? 'warn' : 'calm';
  const tone = error === null ? (failed?.tone ?? freeTone) : 'error';
  const Icon = tone === 'calm' ? Info : TriangleAlert;
  return (
    <div className="min-h-8">
      {/* Inside the line rather than beside it: the figures of a large account must fit two lines. */}
      <p id={id} className={`figures text-12 leading-4 ${tones[tone]}`}>
        <Icon size={14} aria-hidden="true" className="mr-1.5 inline-block align-[-2px]" />
        <span>
          {error === null && failed?.side ? (
            <>
              <span className={failed.side === 'BUY' ? 'text-up' : 'text-down'}>{names[failed.side]}</span>
              {text.slice(names[failed.side].length)}
            </>
          ) : (
            text
          )}
          {text === texts.marketClosed ? (
            <>
              {' '}
              <OpeningCountdown pair={ticket.pair} />
            </>
          ) : null}
        </span>
      </p>
      <span role="alert" className="sr-only">
        {error}
      </span>
    </div>
  );
}

interface SideButtonProps {
  readonly ticket: Ticket;
  readonly ruleId: string;
  readonly side: Side;
}

function SideButton({ ticket, ruleId, side }: SideButtonProps) {
  const isBlocked = useIsBlocked(ticket, side);
  const pendingSide = ticket.state.pending?.side;
  return (
    <Button
      name={side}
      size="large"
      aria-describedby={ruleId}
      className="flex-1 !px-2 max-lg:h-12"
      tone={side === 'BUY' ? 'up' : 'down'}
      muted={isBlocked || (pendingSide !== undefined && pendingSide !== side)}
      pending={pendingSide === side}
      onClick={() => ticket.submit(side)}
      onMutedClick={() => {
        if (ticket.state.typed.amount.trim() === '') ticket.amountField.current?.focus();
      }}
    >
      {names[side]}
    </Button>
  );
}

const sideLabels = { BUY: 'a long', SELL: 'a short' } as const satisfies Record<Side, string>;

/** The source of calculated figures, and the button they are for; shown only for such figures. */
function CalculatedNote({ side }: { readonly side: Side | null }) {
  if (side === null) return null;
  return (
    <p className="text-12 text-text-2">
      Worked out for <span className={side === 'BUY' ? 'text-up' : 'text-down'}>{sideLabels[side]}</span>.
      Nothing is sent yet.
    </p>
  );
}

export function SubmitArea({ ticket, ruleId }: { readonly ticket: Ticket; readonly ruleId: string }) {
  return (
    <div className="flex flex-col gap-2.5">
      <CalculatedNote side={ticket.state.workedOutFor} />
      <div className="flex gap-2">
        {sides.map((side) => (
          <SideButton key={side} ticket={ticket} ruleId={ruleId} side={side} />
        ))}
      </div>
      <RuleLine ticket={ticket} id={ruleId} />
      <OrderConfirmation ticket={ticket} />
    </div>
  );
}
