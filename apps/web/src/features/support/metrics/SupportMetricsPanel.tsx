/**
 * Six figures of support over a range from the URL (ADMIN-13, ADMIN-78), each with a definition that opens on click.
 * The previous range's figures stay, dimmed, until the new ones are loaded, so that nothing jumps.
 */
import type { SupportMetrics } from '@fulcrum/contract';
import Download from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { downloadText, formatDayStamp } from '../../../shared/download/index.ts';
import { pluralize } from '../../../shared/numbers/pluralize.ts';
import { FigureCellSkeletons, figureCell } from '../../../shared/ui/FigureCells.tsx';
import { IconButton, Segmented, Skeleton } from '../../../shared/ui/index.ts';
import { Term } from '../../../shared/ui/Term.tsx';
import { useUrlState } from '../../../shared/url-state/index.ts';
import { Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { type Figure, getFigures } from './definitions.ts';
import { metricsCsv } from './metrics-csv.ts';
import { getRangeBounds, type RangeName, ranges, rangeUrlState } from './range.ts';
import { useSupportMetrics } from './useSupportMetrics.ts';

const grid = 'grid grid-cols-6 gap-px border-t border-line bg-line max-xl:grid-cols-3 max-md:grid-cols-2';
/** The height of the figures, so that an error in their place takes the same. */
const leastHeight = 'min-h-[178px] max-xl:min-h-[279px] max-md:min-h-[424px]';
const cells = 6;

/** The spaces within a duration, which is not broken over two lines. */
const durationSpace = /(?<=\d) (?=(?:d|h|min|s)\b)|(?<=\b(?:d|h|min)) (?=\d)/g;

export function Cell({ term, meaning, value, beneath }: Figure) {
  return (
    <div className={figureCell}>
      <dt className="flex h-6 items-center">
        <Term term={term}>
          <p className="text-text-2">{meaning}</p>
        </Term>
      </dt>
      <dd className="mt-0.5">
        <span className="figures block truncate text-16 font-semibold tracking-[-0.01em]">{value}</span>
        <span className="figures mt-0.5 block min-h-5 text-12 text-text-3 max-md:min-h-10">
          {beneath.replace(durationSpace, '\u00a0')}
        </span>
      </dd>
    </div>
  );
}

function MetricsSkeleton() {
  return (
    <>
      <div className={grid}>
        <FigureCellSkeletons count={cells} beneath="max-md:h-10 max-md:items-start" />
      </div>
      <div className="flex h-9 items-center border-t border-line px-4">
        <Skeleton className="h-3 w-48" />
      </div>
    </>
  );
}

function Metrics({ metrics, phrase }: { readonly metrics: SupportMetrics; readonly phrase: string }) {
  return (
    <>
      <dl className={grid}>
        {getFigures(metrics).map((figure) => (
          <Cell key={figure.term} {...figure} />
        ))}
      </dl>
      <p className="figures flex min-h-9 items-center border-t border-line px-4 text-12 text-text-2">
        {metrics.sessions === 0 && metrics.interactions === 0
          ? `No sessions ${phrase}. They count as soon as a trader writes to support.`
          : `${pluralize(metrics.sessions, 'session')} and ${pluralize(metrics.interactions, 'message')} ${phrase}`}
      </p>
    </>
  );
}

interface SupportMetricsPanelProps {
  /** Further figures in the same card, beneath these. */
  readonly beneath?: ReactNode;
  /** The user has paused the page's updates. */
  readonly isPaused?: boolean;
}

export function SupportMetricsPanel({ beneath, isPaused = false }: SupportMetricsPanelProps) {
  const [{ range }, change] = useUrlState(rangeUrlState);
  const reading = useSupportMetrics(range, null, isPaused);
  const show = (name: RangeName) => change({ range: ranges.find(({ value }) => value === name) ?? range });
  // While a range is read, the figures are still those of the one before.
  const figures = reading.isPrevious ? undefined : reading.figures;
  const save = () => {
    if (figures === undefined) return;
    const name = `support_metrics_${range.value}_${formatDayStamp(new Date())}.csv`;
    downloadText(name, metricsCsv(figures, getRangeBounds(range, Date.now())), 'text/csv');
  };
  return (
    <Widget
      title="Support metrics"
      className={leastHeight}
      reading={reading}
      aside={
        <>
          <Segmented<RangeName>
            label="Range"
            options={ranges}
            value={range.value}
            onChange={show}
            size="compact"
          />
          <IconButton
            label="Download support metrics as CSV"
            aria-disabled={figures === undefined || undefined}
            onClick={save}
          >
            <Download size={14} aria-hidden="true" />
          </IconButton>
        </>
      }
    >
      <WidgetBody reading={reading} skeleton={<MetricsSkeleton />} failed="Failed to fetch support metrics">
        {(metrics) => (
          <div
            aria-busy={reading.isPrevious}
            className={`transition-opacity ${reading.isPrevious ? 'opacity-60' : ''}`}
          >
            <Metrics metrics={metrics} phrase={range.phrase} />
          </div>
        )}
      </WidgetBody>
      {beneath}
    </Widget>
  );
}
