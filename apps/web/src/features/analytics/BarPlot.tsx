/** Results as bars, with the chosen one's figures in the header; a table has the same data for screen readers. */
import { formatCompact, formatFigure, formatPnl, Pnl } from '../../shared/numbers/index.ts';
import { pluralize } from '../../shared/numbers/pluralize.ts';
import { BarChart, PlotTable, useReadout } from '../../shared/plot/index.ts';

export interface ResultBar {
  /** The day or the hour. */
  readonly key: string;
  /** Such as `Mon 16 Nov`. */
  readonly name: string;
  /** The label beneath it where it fits, such as `16 Nov`. */
  readonly tick: string;
  readonly trades: number;
  readonly net: number;
}

export const barsHeight = 132;

/** The bound is a result, so a small one is not rounded to zero. */
function formatBound(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return formatCompact(value);
  return formatFigure(value, size < 10 ? 2 : 0);
}

interface BarPlotProps {
  readonly title: string;
  /** The row header of the table, such as `Day`. */
  readonly unit: string;
  readonly bars: readonly ResultBar[];
  readonly named: 'first' | 'last';
  /** The key of the bar whose trades are open; marked while no other is looked at. */
  readonly chosen: string | null;
  /** Opens the trades behind a bar. */
  readonly onChoose: (bar: ResultBar) => void;
  /** Shown when there are no trades. */
  readonly empty: string;
}

export function BarPlot({ title, unit, bars, named, chosen, onChoose, empty }: BarPlotProps) {
  const readout = useReadout(bars.length);
  const chosenIndex = bars.findIndex(({ key }) => key === chosen);
  const active = readout.active ?? (chosenIndex < 0 ? null : chosenIndex);
  const read = active === null ? undefined : bars[active];
  const traded = bars.filter(({ trades }) => trades > 0);
  const describe = (index: number): string => {
    const bar = bars[index];
    return bar ? `${bar.name}: ${pluralize(bar.trades, 'trade')}, ${formatPnl(bar.net)} USDT` : '';
  };
  return (
    <div className="relative min-w-0 p-4">
      <div className="flex h-7 items-center justify-between gap-4">
        <h3 className="text-13 font-semibold">{title}</h3>
        <p className="figures truncate text-12 text-text-3">
          {read ? (
            <>
              {`${read.name} · ${pluralize(read.trades, 'trade')} `}
              <Pnl value={read.net} />
            </>
          ) : (
            'USDT, after fees'
          )}
        </p>
      </div>
      <div className="mt-2">
        <BarChart
          name={title}
          describe={describe}
          empty={traded.length === 0 ? empty : undefined}
          bars={bars.map(({ name, tick, net }) => ({
            name,
            tick,
            parts: [{ value: net, tone: net > 0 ? 'up' : 'down' }],
          }))}
          height={barsHeight}
          named={named}
          chooses="its trades"
          onChoose={(index) => {
            const bar = bars[index];
            if (bar && bar.trades > 0) onChoose(bar);
          }}
          formatTick={formatBound}
          {...readout}
          active={active}
        />
      </div>
      <PlotTable
        caption={title}
        columns={[unit, 'Trades', 'Net result, USDT']}
        rows={traded.map(({ name, trades, net }) => [name, trades, formatPnl(net)])}
      />
    </div>
  );
}
