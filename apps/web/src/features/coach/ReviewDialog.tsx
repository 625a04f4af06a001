/** The review of one closed trade: what the rules found, and the facts that they looked at (docs/coach.md). */
import type { TradeReview } from '@fulcrum/contract';
import { coachRules, type RuleId } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { sideLabel } from '../../shared/account/index.ts';
import { FigureLine, FigureLines } from '../../shared/figure-lines/FigureLines.tsx';
import { Amount, Figure, formatExact, Pnl, Share } from '../../shared/numbers/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap } from '../../shared/supabase/index.ts';
import { formatDayAndClock } from '../../shared/time/dates.ts';
import { formatDuration } from '../../shared/time/duration.ts';
import { Badge, Dialog, ReadError, Skeleton } from '../../shared/ui/index.ts';
import { TradePlaybook } from '../playbooks/index.ts';
import { LessonToggle } from './LessonToggle.tsx';
import { type Fact, finalAt, shownGroups } from './review-facts.ts';

const signed: readonly Fact['name'][] = ['net', 'worstResult', 'bestResult', 'missedResult', 'lossBefore'];

function FactValue({ fact: { name, unit, value } }: { readonly fact: Fact }) {
  switch (unit) {
    case 'money':
      return signed.includes(name) ? <Pnl value={value} unit="USDT" /> : <Amount value={value} unit="USDT" />;
    case 'price':
      return <Figure text={formatExact(value)} />;
    case 'percent':
      return <Share value={value} />;
    case 'r':
      return <Pnl value={value} unit="R" />;
    case 'ms':
      return <Figure text={formatDuration(value / 1000)} />;
  }
}

const ruleOf = (id: RuleId) => coachRules.find((rule) => rule.id === id);

function Findings({ review: { findings } }: { readonly review: TradeReview }) {
  if (findings.length === 0)
    return (
      <p className="text-13 text-text-2">No rule of the coach applies to this trade. The facts are below.</p>
    );
  return (
    <ul aria-label="Findings" className="flex flex-col gap-2">
      {findings.map(({ rule, sentence }) => {
        const isGood = ruleOf(rule)?.kind === 'habit to keep';
        return (
          <li
            key={rule}
            className={`rounded-control border-l-2 bg-inset px-3 py-2 ${isGood ? 'border-up' : 'border-warn'}`}
          >
            <p className="flex flex-wrap items-center gap-2 text-13 font-semibold">
              {ruleOf(rule)?.name}
              <Badge tone={isGood ? 'up' : 'warn'}>{isGood ? 'Keep' : 'Change'}</Badge>
            </p>
            <p className="figures mt-1 text-13">{sentence}</p>
            <LessonToggle rule={rule} />
          </li>
        );
      })}
    </ul>
  );
}

function NotFinal({ review }: { readonly review: TradeReview }) {
  const at = finalAt(review);
  return (
    <p role="note" className="rounded-control bg-warn-weak px-3 py-2 text-12 text-warn">
      {at !== null && at > Date.now()
        ? `Not final: prices after the close count until ${formatDayAndClock(at)}. Findings may be added then.`
        : 'Not final: prices of this trade have not all arrived. Open the review again later.'}
    </p>
  );
}

function Review({ review }: { readonly review: TradeReview }) {
  const hasPrices = review.facts.some(({ name }) => name === 'bestPrice');
  return (
    <div className="flex flex-col gap-4">
      {review.is_final ? null : <NotFinal review={review} />}
      <Findings review={review} />
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        {shownGroups(review).map(({ title, lines }) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1 text-12 text-text-3">{title}</h3>
            <FigureLines>
              {lines.map(({ label, fact, beside }) => (
                <FigureLine key={label} label={label}>
                  {beside === null ? null : (
                    <span className="mr-2 text-12 font-normal text-text-2">
                      <FactValue fact={beside} />
                    </span>
                  )}
                  <FactValue fact={fact} />
                </FigureLine>
              ))}
            </FigureLines>
          </section>
        ))}
      </div>
      <p className="text-12 text-text-2">
        {hasPrices
          ? 'The net result is after fees and funding; worst, best and missed are before them.'
          : 'The prices during this trade are not stored.'}
      </p>
      <TradePlaybook positionId={review.position_id} />
    </div>
  );
}

interface ReviewDialogProps {
  readonly positionId: string;
  readonly onEnd: () => void;
}

export default function ReviewDialog({ positionId, onEnd }: ReviewDialogProps) {
  const { accountId, supabase } = useSignedIn();
  const reading = useQuery({
    queryKey: ['trade-review', accountId, positionId],
    queryFn: ({ signal }): Promise<TradeReview> =>
      unwrap(supabase.rest.rpc('review_trade', { p_position_id: positionId }).abortSignal(signal)),
  });
  const content = () => {
    if (reading.data) return <Review review={reading.data} />;
    if (reading.isError) return <ReadError title="Failed to load the review" reading={reading} />;
    return <Skeleton className="h-64 w-full" />;
  };
  const what = reading.data
    ? `${reading.data.symbol} ${sideLabel(reading.data.side).toLowerCase()}`
    : 'Trade';
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onEnd()}
      title={`${what}: review`}
      description={reading.data ? `Closed ${formatDayAndClock(reading.data.closed_at)}` : undefined}
      size="wide"
    >
      {content()}
    </Dialog>
  );
}
