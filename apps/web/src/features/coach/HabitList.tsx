/** Habits of a period, each with what it was worth and its trades, which open their reviews. */
import type { PeriodReview } from '@fulcrum/contract';
import { coachRules } from '@fulcrum/domain';
import { type ReactNode, useState } from 'react';
import { sideLabel } from '../../shared/account/index.ts';
import { Pnl } from '../../shared/numbers/index.ts';
import { formatDayAndClock } from '../../shared/time/dates.ts';
import { Button } from '../../shared/ui/index.ts';
import { LessonToggle } from './LessonToggle.tsx';
import { ReviewButton } from './ReviewButton.tsx';

type Habit = PeriodReview['costliest'][number];

const tradesFirst = 3;

export const tradeCount = (trades: number): string => (trades === 1 ? '1 trade' : `${trades} trades`);
export const ruleOf = (id: Habit['rule']) => coachRules.find((rule) => rule.id === id);

function HabitItem({ habit: { rule: id, worth, trades, listed } }: { readonly habit: Habit }) {
  const [showsAll, setShowsAll] = useState(false);
  const rule = ruleOf(id);
  return (
    <li className="border-t border-line py-3 first:border-t-0 first:pt-1 min-[1800px]:border-t-0 min-[1800px]:pt-1">
      <div className="flex items-baseline justify-between gap-3">
        <h4 className="text-13 font-semibold">{rule?.name}</h4>
        <Pnl value={worth} unit="USDT" className="font-semibold" />
      </div>
      <p className="text-12 text-text-3">{`${tradeCount(trades)}, ${rule?.worth.name}`}</p>
      <ul aria-label={`Trades: ${rule?.name}`} className="mt-1.5 flex flex-col">
        {(showsAll ? listed : listed.slice(0, tradesFirst)).map((trade) => (
          <li key={trade.position_id}>
            <ReviewButton
              of={{ id: trade.position_id, symbol: trade.symbol, side: trade.side }}
              className="flex min-h-7 w-full items-center justify-between gap-3 rounded-control px-2 text-left text-12 hover:bg-raised max-md:min-h-11"
            >
              <span className="min-w-0 truncate">
                <b className="font-medium">{trade.symbol}</b> {sideLabel(trade.side)}{' '}
                <span className="figures text-text-3">{formatDayAndClock(trade.closed_at)}</span>
              </span>
              <Pnl value={trade.worth} />
            </ReviewButton>
          </li>
        ))}
      </ul>
      {!showsAll && listed.length > tradesFirst ? (
        <Button tone="quiet" size="compact" onClick={() => setShowsAll(true)}>
          {`Show ${listed.length} trades`}
        </Button>
      ) : null}
      {showsAll && trades > listed.length ? (
        <p className="px-2 text-12 text-text-3">{`${listed.length} of ${tradeCount(trades)} are listed.`}</p>
      ) : null}
      <LessonToggle rule={id} />
    </li>
  );
}

interface HabitListProps {
  readonly title: string;
  readonly habits: readonly Habit[];
  /** In place of no habits. */
  readonly empty: ReactNode;
}

export function HabitList({ title, habits, empty }: HabitListProps) {
  return (
    <section aria-label={title} className="min-w-0 p-4">
      <h3 className="mb-1 text-13 font-semibold">{title}</h3>
      {habits.length === 0 ? (
        <p className="text-13 text-text-2">{empty}</p>
      ) : (
        <ol className="gap-x-8 min-[1800px]:grid min-[1800px]:grid-cols-3">
          {habits.map((habit) => (
            <HabitItem key={habit.rule} habit={habit} />
          ))}
        </ol>
      )}
    </section>
  );
}
