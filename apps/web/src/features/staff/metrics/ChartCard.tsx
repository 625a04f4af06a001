/**
 * One metric over all users: its total in the range, its bars, and on request a table of them in the same place. The sign is
 * visible without colour: by the side of the line and in the table.
 */
import type { TotalsMetrics } from '@fulcrum/contract';
import ChartColumn from 'lucide-react/icons/chart-column';
import Table2 from 'lucide-react/icons/table-2';
import { useState } from 'react';
import { colourByDirection, directionOf } from '../../../shared/numbers/index.ts';
import { BarChart, type BarTone, useReadout } from '../../../shared/plot/index.ts';
import { Skeleton, Table, Td, Th, Tr } from '../../../shared/ui/index.ts';
import { Term } from '../../../shared/ui/Term.tsx';
import type { Bucket, Buckets } from './buckets.ts';
import { formatTotal, type Series, type TotalsChart } from './charts.ts';

const cardClass =
  'panel relative flex min-w-0 flex-col px-4 pt-3 pb-2 max-md:w-[88%] max-md:shrink-0 max-md:snap-start';
const plotHeight = 124;
const axisWidth = 48;
const dotClassByTone: Record<BarTone, string> = { up: 'bg-up', down: 'bg-down', accent: 'bg-accent' };

function getTone({ tone }: Series, value: number): BarTone {
  if (tone !== 'sign') return tone;
  return value < 0 ? 'down' : 'up';
}

/** Below the line are losses, which have a sign, or payouts, which have none. */
function formatTick({ series }: TotalsChart, value: number): string {
  return formatTotal(series.some(({ tone }) => tone === 'sign') ? value : Math.abs(value), false);
}

function describeBucket({ series, format }: TotalsChart, bucket: Bucket | undefined): string {
  if (!bucket) return '';
  return `${bucket.name}: ${series.map(({ name, getValue }) => `${name} ${format(getValue(bucket))}`).join(', ')}`;
}

function Tip({ chart, bucket }: { readonly chart: TotalsChart; readonly bucket: Bucket | undefined }) {
  if (!bucket) return null;
  return (
    <>
      <p className="font-semibold">{bucket.name}</p>
      {chart.series.map((series) => (
        <p key={series.name} className="mt-0.5 flex items-center gap-2">
          <span
            className={`size-2 shrink-0 rounded-[2px] ${dotClassByTone[getTone(series, series.getValue(bucket))]}`}
          />
          <span className="truncate text-text-2">{series.name}</span>
          <span className="figures ml-auto font-medium">{chart.format(series.getValue(bucket))}</span>
        </p>
      ))}
    </>
  );
}

export function ChartSkeleton() {
  return (
    <div className={cardClass}>
      <div className="flex h-6 items-center">
        <Skeleton className="h-3 w-24" />
      </div>
      <div className="mt-0.5 flex h-7 items-center">
        <Skeleton className="h-5 w-32" />
      </div>
      <div className="mt-2" style={{ height: plotHeight }} />
    </div>
  );
}

interface ChartCardProps {
  readonly chart: TotalsChart;
  readonly buckets: Buckets;
  readonly totals: TotalsMetrics['totals'];
}

export function ChartCard({ chart, buckets: { unit, bars }, totals }: ChartCardProps) {
  const readout = useReadout(bars.length);
  const [asTable, setAsTable] = useState(false);
  const total = chart.total(totals);
  const colour = chart.isSigned ? colourByDirection[directionOf(total)] : '';
  return (
    <section aria-label={chart.title} className={cardClass}>
      <div className="flex h-6 items-center gap-3 max-[359px]:h-auto max-[359px]:flex-wrap max-[359px]:gap-y-0">
        <h2 className="min-w-0 text-12">
          <Term term={chart.title}>
            <p className="text-text-2">{chart.meaning}</p>
          </Term>
        </h2>
        <span className="ml-auto flex shrink-0 items-center gap-3 text-11 text-text-2">
          {chart.legend.map(({ tone, label }) => (
            <span key={label} className="flex items-center gap-1.5">
              <span aria-hidden="true" className={`size-2 rounded-[2px] ${dotClassByTone[tone]}`} />
              {label}
            </span>
          ))}
          <button
            type="button"
            aria-label={`${asTable ? 'Chart' : 'Table'} of ${chart.title}`}
            title={asTable ? 'Chart' : 'Table'}
            onClick={() => setAsTable(!asTable)}
            className="relative grid size-6 place-items-center rounded-[4px] text-text-3 hover:bg-raised hover:text-text max-md:after:absolute max-md:after:-inset-2.5"
          >
            {asTable ? <ChartColumn size={14} aria-hidden="true" /> : <Table2 size={14} aria-hidden="true" />}
          </button>
        </span>
      </div>
      <p className="mt-0.5 flex h-7 items-baseline gap-2">
        <span className={`figures text-20 font-semibold tracking-[-0.01em] ${colour}`}>
          {formatTotal(total, chart.isSigned)}
        </span>
        <span className="truncate text-12 text-text-3">{chart.caption}</span>
      </p>
      <div className="mt-2" style={{ height: plotHeight }}>
        {asTable ? (
          <section
            aria-label={`${chart.title} by ${unit.toLowerCase()}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
            tabIndex={0}
            className="-mx-4 h-full overflow-y-auto border-t border-line"
          >
            <Table
              caption={`${chart.title} by ${unit.toLowerCase()}, the latest first`}
              head={
                <>
                  <Th>{unit}</Th>
                  {chart.series.map(({ name }) => (
                    <Th key={name} numeric>
                      {name}
                    </Th>
                  ))}
                </>
              }
            >
              {bars.toReversed().map((bucket) => (
                <Tr key={bucket.name} className="!h-7">
                  <Td className="!text-12">{bucket.name}</Td>
                  {chart.series.map(({ name, getValue }) => (
                    <Td key={name} numeric className="!text-12">
                      {chart.format(getValue(bucket))}
                    </Td>
                  ))}
                </Tr>
              ))}
            </Table>
          </section>
        ) : (
          <BarChart
            name={chart.title}
            describe={(index) => describeBucket(chart, bars[index])}
            bars={bars.map((bucket) => ({
              name: bucket.name,
              tick: bucket.name,
              parts: chart.series.map((series) => {
                const value = series.getValue(bucket);
                return { value, tone: getTone(series, value) };
              }),
            }))}
            height={plotHeight}
            axisWidth={axisWidth}
            named="last"
            formatTick={(value) => formatTick(chart, value)}
            renderTip={(index) => <Tip chart={chart} bucket={bars[index]} />}
            {...readout}
          />
        )}
      </div>
    </section>
  );
}
