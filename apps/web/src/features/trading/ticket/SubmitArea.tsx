/** The two buttons, and beneath them what keeps them from acting or what they will do. */
import { toNumber } from '@fulcrum/domain';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { Button } from '../../../shared/ui/index.ts';
import { type Ticket, useFailedRule, useIsBlocked, useShown } from './useTicket.ts';

const tones = { calm: 'text-text-2', warn: 'text-warn', error: 'text-down' } as const;

/** What sending the order will do, in figures. */
function usePromise(ticket: Ticket): string {
  const { pair, state, factsOf } = ticket;
  return useShown(ticket, () => {
    const { terms, summary } = factsOf(state.settledText);
    if (terms.size === null || terms.price === null || summary.requiredMargin === null) return '';
    const size = `${formatSize(toNumber(terms.size), pair.stepSize)} ${pair.baseAsset}`;
    const margin = formatAmount(toNumber(summary.requiredMargin));
    return `Opens ${size} at about ${formatPrice(toNumber(terms.price), pair.tickSize)} and locks ${margin} USDT until you close.`;
  });
}

function RuleLine({ ticket, id }: { readonly ticket: Ticket; readonly id: string }) {
  const failed = useFailedRule(ticket, ticket.state.settledText);
  const promise = usePromise(ticket);
  const { error } = ticket.state;
  const text = error ?? failed?.text ?? promise;
  const tone = error === null ? (failed?.tone ?? 'calm') : 'error';
  const Icon = tone === 'calm' ? Info : TriangleAlert;
  return (
    <div className="min-h-8">
      <p id={id} className={`figures flex items-start gap-2 text-12 leading-4 ${tones[tone]}`}>
        <Icon size={14} aria-hidden="true" className="mt-px shrink-0" />
        <span>{text}</span>
      </p>
      <span role="alert" className="sr-only">
        {error}
      </span>
    </div>
  );
}

export function SubmitArea({ ticket, ruleId }: { readonly ticket: Ticket; readonly ruleId: string }) {
  const { state, submit } = ticket;
  const isBlocked = useIsBlocked(ticket);
  const pendingSide = state.pending?.side;
  const common = {
    size: 'large',
    'aria-describedby': ruleId,
    className: 'flex-1 !px-2 max-lg:h-12',
  } as const;
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex gap-2">
        <Button
          {...common}
          tone="up"
          muted={isBlocked || pendingSide === 'SELL'}
          pending={pendingSide === 'BUY'}
          onClick={() => submit('BUY')}
        >
          Buy/Long
        </Button>
        <Button
          {...common}
          tone="down"
          muted={isBlocked || pendingSide === 'BUY'}
          pending={pendingSide === 'SELL'}
          onClick={() => submit('SELL')}
        >
          Sell/Short
        </Button>
      </div>
      <RuleLine ticket={ticket} id={ruleId} />
    </div>
  );
}
