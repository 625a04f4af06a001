/** The habits of a period: what cost the most, what earned the most, and where the results came from (docs/coach.md). */
import type { PeriodReview } from '@fulcrum/contract';
import { coachRuleIds } from '@fulcrum/domain';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSignedIn } from '../../shared/session/index.ts';
import { Button, ButtonLink, EmptyState, Segmented, Skeleton } from '../../shared/ui/index.ts';
import { useUrlState } from '../../shared/url-state/index.ts';
import { Widget, WidgetBody } from '../../shared/widget/index.ts';
import { GroupTable } from './GroupTable.tsx';
import { HabitList, ruleOf, tradeCount } from './HabitList.tsx';
import { LessonToggle } from './LessonToggle.tsx';
import { MyLimits } from './OwnLimits.tsx';
import { OwnRulesDialog } from './OwnRulesDialog.tsx';
import { useOwnRules } from './own-rules.ts';
import { type Period, type PeriodName, periods, periodUrlState, spanOf } from './period.ts';
import { type PeriodReading, usePeriodReview } from './usePeriodReview.ts';

/** Lines between the cells, whatever their number in a row. */
const cells = 'grid gap-px border-t border-line bg-line max-lg:grid-cols-1 [&>*]:bg-surface';
const columns = `${cells} grid-cols-2`;
const sums = `${cells} grid-cols-2 min-[1800px]:grid-cols-4`;

const skeleton = (
  <div className={columns}>
    {[0, 1].map((column) => (
      <div key={column} className="flex h-64 flex-col gap-3 p-4">
        <Skeleton className="h-3.5 w-40" />
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-10 w-full" />
      </div>
    ))}
  </div>
);

function Pending({ review, reading }: { readonly review: PeriodReview; readonly reading: PeriodReading }) {
  if (review.pending === 0) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 border-t border-line px-4 py-2 text-12 text-warn"
    >
      {`Prices of ${tradeCount(review.pending)} are not read yet. Habits that need them may be missing.`}
      <Button size="compact" pending={reading.isReading} onClick={reading.refetch}>
        {reading.readsOn ? 'Reading' : 'Read more'}
      </Button>
    </div>
  );
}

function TooFew({ rules }: { readonly rules: PeriodReview['too_few'] }) {
  if (rules.length === 0) return null;
  return (
    <section aria-label="Found too seldom" className="border-t border-line p-4">
      <h3 className="mb-1 text-13 font-semibold">Found too seldom to speak of</h3>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-13 text-text-2">
        {rules.map(({ rule, trades, needed }) => (
          <li key={rule}>{`${ruleOf(rule)?.name}: ${tradeCount(trades)}, ${needed} needed`}</li>
        ))}
      </ul>
    </section>
  );
}

interface ReviewProps {
  readonly review: PeriodReview;
  readonly period: Period;
  readonly reading: PeriodReading;
  readonly onChoose: (name: PeriodName) => void;
}

function Review({ review, period, reading, onChoose }: ReviewProps) {
  if (review.trades === 0) {
    return (
      <EmptyState
        title="No trades to review"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <ButtonLink to="/trading">Open Trading</ButtonLink>
            {period.value === '31d' ? null : <Button onClick={() => onChoose('31d')}>Show 31 days</Button>}
          </div>
        }
      >
        {`No positions were closed ${period.phrase}. Close a position, and its review appears here.`}
      </EmptyState>
    );
  }
  return (
    <div aria-busy={reading.isPrevious} className={reading.isPrevious ? 'opacity-60' : ''}>
      <p className="px-4 pb-2 text-12 text-text-2">
        {`${tradeCount(review.trades)} closed ${period.phrase}. A trade with two habits counts for both.`}
      </p>
      <Pending review={review} reading={reading} />
      <div className={columns}>
        <HabitList
          title="Costliest habits"
          habits={review.costliest}
          empty="No habit cost you money in enough trades to speak of."
        />
        <HabitList
          title="Best habits"
          habits={review.best}
          empty="No good habit was found in enough trades yet. Set a stop loss at the opening: planned losses and profits that ran are measured against it."
        />
      </div>
      <TooFew rules={review.too_few} />
      <div className={sums}>
        <GroupTable
          title="By setup"
          what="Tag"
          groups={review.by_setup}
          empty={
            <>
              Write about a trade in the{' '}
              <Link to="/journal" className="text-accent hover:underline">
                journal
              </Link>{' '}
              and tag the entry with its setup. The results of each tag appear here.
            </>
          }
        />
        <GroupTable title="By symbol" what="Symbol" groups={review.by_symbol} />
        <GroupTable
          title="By side"
          what="Side"
          groups={review.by_side}
          labelOf={(side) => (side === 'BUY' ? 'Long' : 'Short')}
        />
        <GroupTable
          title="By hour of the close"
          what="Hour"
          groups={review.by_hour}
          labelOf={(hour) => `${hour}:00`}
        />
      </div>
      {review.truncated ? (
        <p className="border-t border-line px-4 py-3 text-12 text-text-2">
          {`The latest ${tradeCount(review.trades)} are reviewed; earlier ones are left out.`}
        </p>
      ) : null}
    </div>
  );
}

/** Rules and limits are the user's own: staff who look in do not see them. */
function MyRules() {
  const isOwn = useSignedIn().impersonation === null;
  return isOwn ? (
    <>
      <OwnRulesRow />
      <MyLimits />
    </>
  ) : (
    <div className="mt-auto" />
  );
}

function OwnRulesRow() {
  const { data: setting, isError, refetch } = useOwnRules();
  const [isOpen, setOpen] = useState(false);
  const limit = setting?.riskShareMax ?? null;
  const text = () => {
    if (isError) return 'Your own rules could not be read.';
    if (setting === undefined) return 'Reading your own rules';
    const risk =
      limit === null
        ? 'No limit of your own for the share at risk'
        : `At most ${limit} % at risk in one trade`;
    return setting.off.length === 0
      ? risk
      : `${risk}; ${setting.off.length} of ${coachRuleIds.length} rules ${setting.off.length === 1 ? 'is' : 'are'} off`;
  };
  return (
    <div className="mt-auto flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2 text-13 text-text-2">
      {text()}
      <Button
        size="compact"
        onClick={() => (isError ? refetch() : setOpen(true))}
        muted={!isError && setting === undefined}
      >
        {isError ? 'Retry' : 'My rules'}
      </Button>
      {isOpen && setting ? <OwnRulesDialog setting={setting} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

function Habits() {
  const [{ period }, change] = useUrlState(periodUrlState);
  const reading = usePeriodReview(spanOf(period, Date.now()));
  const choose = (name: PeriodName) =>
    change({ period: periods.find(({ value }) => value === name) ?? period });
  return (
    <Widget
      title="Habits"
      reading={reading}
      className="min-h-[420px]"
      aside={
        <Segmented<PeriodName>
          label="Period"
          options={periods}
          value={period.value}
          onChange={choose}
          size="compact"
        />
      }
    >
      <WidgetBody reading={reading} skeleton={skeleton} failed="Failed to load the review">
        {(review) => <Review review={review} period={period} reading={reading} onChoose={choose} />}
      </WidgetBody>
      <MyRules />
      <details className="border-t border-line px-4 py-3">
        <summary className="cursor-pointer text-13 font-semibold">All lessons</summary>
        <div className="mt-1 columns-1 gap-8 lg:columns-2">
          {coachRuleIds.map((id) => (
            <LessonToggle key={id} rule={id} />
          ))}
        </div>
      </details>
    </Widget>
  );
}

/** Remounts for another account, so that no user sees another user's habits, not even dimmed. */
export default function Week() {
  const { accountId } = useSignedIn();
  return <Habits key={accountId} />;
}
