/** The chart with its timeframes, beside the ticket or over the whole screen. */
import { texts } from '@fulcrum/contract/texts';
import Maximize from 'lucide-react/icons/maximize';
import X from 'lucide-react/icons/x';
import { Dialog } from 'radix-ui';
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { decimalsOfStep } from '../../../shared/numbers/index.ts';
import { Button, ErrorState, IconButton, Spinner } from '../../../shared/ui/index.ts';
import type { Pair } from '../pairs/usePairs.ts';
import { chooseTimeframe, timeframeNames, timeframes, useTimeframe } from '../timeframes.ts';
import type { CandleChartProps } from './CandleChart.tsx';
import type { ChartMarket, PriceLine } from './candle-chart.ts';

/** Stands in when the chart's own code could not be fetched; only a fresh page asks for it again. */
const ChartNotLoaded = () => <ErrorState title={texts.chartUnavailable} onRetry={() => location.reload()} />;

const CandleChart = lazy<ComponentType<CandleChartProps>>(() =>
  import('./CandleChart.tsx').catch((cause: unknown) => {
    log.error('The chart could not be fetched', cause);
    return { default: ChartNotLoaded };
  }),
);
const leastPriceDecimals = 2;

interface ChartProps {
  readonly pair: Pair;
  /** Levels of the pair's open positions; has to be stable while they are. */
  readonly lines: readonly PriceLine[];
}

function LoadedChart({
  pair,
  lines,
  variant = 'full',
}: ChartProps & { readonly variant?: 'full' | 'glance' }) {
  const { timeframe } = useTimeframe();
  const { symbol, tradingHours, tickSize, stepSize } = pair;
  const market = useMemo<ChartMarket>(
    () => ({
      symbol,
      timeframe,
      tradingHours,
      priceDecimals: Math.max(leastPriceDecimals, decimalsOfStep(tickSize)),
      sizeDecimals: decimalsOfStep(stepSize),
    }),
    [symbol, timeframe, tradingHours, tickSize, stepSize],
  );
  return (
    <Suspense
      fallback={
        <div className="grid h-full place-items-center">
          <Spinner size={24} label="Loading the chart" />
        </div>
      }
    >
      <CandleChart market={market} lines={lines} variant={variant} />
    </Suspense>
  );
}

function Timeframes() {
  const { timeframe: chosen } = useTimeframe();
  return (
    <fieldset className="flex min-w-0 gap-0.5 overflow-x-auto [scrollbar-width:none]">
      <legend className="sr-only">Timeframe</legend>
      {timeframes.map((timeframe) => (
        <button
          key={timeframe}
          type="button"
          aria-pressed={timeframe === chosen}
          title={timeframeNames[timeframe]}
          onClick={() => chooseTimeframe(timeframe)}
          className="h-7 min-w-[34px] shrink-0 rounded-control px-1.5 text-13 font-medium text-text-2 transition-colors -outline-offset-2 hover:bg-raised hover:text-text aria-pressed:bg-accent-weak aria-pressed:text-accent max-md:h-11 max-md:min-w-11"
        >
          {timeframe}
        </button>
      ))}
    </fieldset>
  );
}

/** TRADE-23 to TRADE-25: the whole screen for the chart. `children` is what opens it. */
export function ChartOverlay({ pair, lines, children }: ChartProps & { readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>{children}</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          className="fade fixed inset-x-0 top-(--acting-height) bottom-0 z-50 flex flex-col bg-surface outline-none"
        >
          <div className="flex h-13 shrink-0 items-center justify-between gap-3 border-b border-line px-4">
            <Dialog.Title className="text-16 font-semibold">{`${pair.symbol} Chart`}</Dialog.Title>
            <Dialog.Close asChild>
              <Button tone="quiet">
                <X size={16} aria-hidden="true" />
                Close
              </Button>
            </Dialog.Close>
          </div>
          <div className="flex shrink-0 items-center border-b border-line px-2 py-1">
            <Timeframes />
          </div>
          <div className="min-h-0 grow pb-[env(safe-area-inset-bottom)]">
            <LoadedChart pair={pair} lines={lines} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** TRADE-14: 600 px in all on a large screen, 480 on a middle one. */
export function ChartPanel({ pair, lines }: ChartProps) {
  return (
    <section aria-label="Chart" className="flex h-[480px] shrink-0 flex-col bg-surface lg:h-[600px]">
      <div className="flex h-10 shrink-0 items-center gap-1 border-b border-line pr-3 pl-2">
        <Timeframes />
        <span className="grow" />
        <ChartOverlay pair={pair} lines={lines}>
          <IconButton label="Chart on the whole screen">
            <Maximize size={15} aria-hidden="true" />
          </IconButton>
        </ChartOverlay>
      </div>
      <div className="min-h-0 grow">
        <LoadedChart pair={pair} lines={lines} />
      </div>
    </section>
  );
}

/** The phone's small chart, 132 high, with the button that opens the large one. */
export function GlanceChart({ pair, lines }: ChartProps) {
  const { timeframe } = useTimeframe();
  return (
    <div className="relative h-[132px]">
      <LoadedChart pair={pair} lines={lines} variant="glance" />
      <ChartOverlay pair={pair} lines={lines}>
        <button
          type="button"
          className="absolute top-0 left-3 z-10 inline-flex h-9 items-center gap-2 rounded-control border border-line-strong bg-surface/90 px-3 text-13 font-medium before:absolute before:-inset-1"
        >
          <Maximize size={14} aria-hidden="true" className="text-text-2" />
          Chart
          <span className="text-text-3">{timeframe}</span>
        </button>
      </ChartOverlay>
    </div>
  );
}
