/** One card of the Overview: a figure, its change, a 30-day curve, its definition, and a link to its rows. */
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Link } from 'react-router';
import { directionOf, formatCompact, formatFigure, noFigure } from '../../../shared/numbers/index.ts';
import { Sparkline } from '../../../shared/plot/index.ts';
import { Skeleton } from '../../../shared/ui/index.ts';
import { Term } from '../../../shared/ui/Term.tsx';
import type { Card } from './cards.ts';

const frame = 'panel relative flex h-[107px] min-w-0 flex-col px-4 pt-2.5 pb-3';

function Change({ percent, isUpGood }: { readonly percent: number | null; readonly isUpGood: boolean }) {
  if (percent === null) {
    return (
      <span className="text-text-3">
        {noFigure}
        <span className="sr-only"> nothing to compare with</span>
      </span>
    );
  }
  const direction = directionOf(percent, 1);
  const Arrow = direction === 'down' ? ArrowDown : ArrowUp;
  const colour =
    !isUpGood || direction === 'none' ? 'text-text-2' : direction === 'up' ? 'text-up' : 'text-down';
  return (
    <span className={`figures inline-flex items-center gap-0.5 font-medium ${colour}`}>
      {direction === 'none' ? null : <Arrow size={12} strokeWidth={2.25} aria-hidden="true" />}
      <span className="sr-only">{direction === 'down' ? 'down ' : 'up '}</span>
      {`${formatFigure(Math.abs(percent), 1)}%`}
    </span>
  );
}

/** Text alternative for screen readers. */
function describeDays(days: readonly number[], unit: string): string {
  const formatValue = (value: number | undefined) =>
    `${formatCompact(value)}${unit === '' ? '' : ` ${unit}`}`;
  const [from, to] = [formatValue(days[0]), formatValue(days.at(-1))];
  const [lowest, highest] = [formatValue(Math.min(...days)), formatValue(Math.max(...days))];
  return `Last ${days.length} days: from ${from} to ${to}, lowest ${lowest}, highest ${highest}.`;
}

function Curve({ days, unit }: { readonly days: readonly number[]; readonly unit: string }) {
  // A flat line at zero would look like data.
  if (days.length < 2 || days.every((value) => value === 0)) return null;
  return (
    <span className="block h-10 w-24 shrink-0 text-accent max-[1400px]:w-12 max-[1180px]:w-20 max-[359px]:hidden">
      <Sparkline label={describeDays(days, unit)} points={days.map((value, at) => ({ at, value }))} />
    </span>
  );
}

export function StatCard({ title, figure, unit, comparison, caption, meaning, isUpGood, to, rows }: Card) {
  return (
    <section
      aria-label={title}
      className={`${frame} transition-colors focus-within:border-line-strong hover:border-line-strong`}
    >
      <div className="flex h-6 items-center justify-between">
        <Term term={title} className="relative z-10 font-medium max-md:after:-inset-x-2">
          <p className="text-text-2">{meaning}</p>
        </Term>
        <Link
          to={to}
          aria-label={`${title}: show ${rows}`}
          className="-mr-1.5 grid size-6 place-items-center rounded-control text-text-3 after:absolute after:inset-0 hover:text-text"
        >
          <ChevronRight size={14} aria-hidden="true" />
        </Link>
      </div>
      <div className="flex min-h-0 grow items-end justify-between gap-3">
        <div className="min-w-0">
          <p className="figures truncate text-28 leading-9 font-semibold tracking-[-0.03em] min-[1181px]:max-[1260px]:text-20">
            {figure}
            {unit === '' ? null : (
              <span className="ml-1.5 text-12 font-normal tracking-normal text-text-2">{unit}</span>
            )}
          </p>
          <p className="mt-0.5 flex items-center gap-1.5 truncate text-12 text-text-2">
            <Change percent={comparison.change_pct} isUpGood={isUpGood} />
            <span className="truncate">{caption}</span>
          </p>
        </div>
        <Curve days={comparison.days} unit={unit} />
      </div>
    </section>
  );
}

export function StatCardSkeleton({ title }: { readonly title: string }) {
  return (
    <div className={frame}>
      <p className="flex h-6 items-center text-12 font-medium text-text-2">{title}</p>
      <div className="flex min-h-0 grow items-end justify-between">
        <div>
          <Skeleton className="my-1.5 block h-6 w-28" />
          <Skeleton className="mt-1 block h-3 w-36" />
        </div>
        <Skeleton className="h-10 w-24" />
      </div>
    </div>
  );
}
