/**
 * A chart with everything around it: toolbar, rail, the built-in chart or the third-party one. The trading screen has one
 * beside the order form and one over the whole screen; both show the same pair's settings.
 */
import { texts } from '@fulcrum/contract/texts';
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react';
import { log } from '../../../shared/log/log.ts';
import { decimalsOfStep } from '../../../shared/numbers/index.ts';
import { ErrorState, Spinner, useWidth } from '../../../shared/ui/index.ts';
import type { Pair } from '../pairs/usePairs.ts';
import type { CandleChartProps } from './CandleChart.tsx';
import type { ChartMarket, PriceLine } from './candle-chart.ts';
import type { ChartLook, ChartSettings } from './settings/chart-settings.ts';
import { chooseProvider } from './settings/charts-store.ts';
import { useProvider } from './third-party/provider.ts';
import { ThirdPartyChart } from './third-party/ThirdPartyChart.tsx';
import { ChartToolbar, type Room } from './toolbar/ChartToolbar.tsx';
import { SelectionBar } from './tools/SelectionBar.tsx';
import { ToolRail } from './tools/ToolRail.tsx';
import { useChartDesk } from './tools/useChartDesk.ts';
import { useDrawingKeys } from './tools/useDrawingKeys.ts';
import type { Drawings } from './tools/useDrawingLayer.ts';

/** Stands in when the chart's own code could not be fetched; only a fresh page asks for it again. */
const ChartNotLoaded = () => <ErrorState title={texts.chartUnavailable} onRetry={() => location.reload()} />;

const CandleChart = lazy<ComponentType<CandleChartProps>>(() =>
  import('./CandleChart.tsx').catch((cause: unknown) => {
    log.error('The chart could not be fetched', cause);
    return { default: ChartNotLoaded };
  }),
);
const leastPriceDecimals = 2;
const noLines: readonly PriceLine[] = [];

/** Widths of a chart from which words and rail have room, and below which the toolbar takes two rows. */
const wideFromPx = 940;
const slimBelowPx = 640;

export interface ChartProps {
  readonly pair: Pair;
  /** Levels of the pair's open positions and orders; has to be stable while they are. */
  readonly lines: readonly PriceLine[];
}

interface PlotProps extends ChartProps {
  readonly settings: ChartSettings;
  readonly drawings?: Drawings;
  readonly variant?: 'full' | 'glance';
}

export function Plot({ pair, lines, settings, drawings, variant = 'full' }: PlotProps) {
  const { symbol, tradingHours, tickSize, stepSize } = pair;
  const { timeframe, kind, shown, periods, grid, extremes } = settings;
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
  const look = useMemo<ChartLook>(
    () => ({ kind, shown, periods, grid, extremes }),
    [kind, shown, periods, grid, extremes],
  );
  return (
    <Suspense
      fallback={
        <div className="grid h-full place-items-center">
          <Spinner size={24} label="Loading the chart" />
        </div>
      }
    >
      <CandleChart
        market={market}
        lines={settings.lines ? lines : noLines}
        look={look}
        variant={variant}
        {...(drawings && { drawings })}
      />
    </Suspense>
  );
}

const roomOf = (width: number): Room =>
  width >= wideFromPx ? 'wide' : width >= slimBelowPx ? 'narrow' : 'slim';

interface ChartBoardProps extends ChartProps {
  /** At the right end of the toolbar. */
  readonly action?: ReactNode;
  /** A low chart has no room for the rail, however wide it is. */
  readonly height?: 'full' | 'low';
}

export function ChartBoard({ pair, lines, action, height = 'full' }: ChartBoardProps) {
  const desk = useChartDesk(pair.symbol);
  const { provider, onFailure } = useProvider();
  const [board, width] = useWidth();
  useDrawingKeys(board, desk);
  const isOwn = provider === 'built-in';
  const fitting = roomOf(width);
  const room = height === 'low' && fitting === 'wide' ? 'narrow' : fitting;
  return (
    <div ref={board} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
      {/* Before its width is known nothing is laid out, so that nothing jumps. */}
      {width === 0 ? null : (
        <>
          <ChartToolbar desk={desk} provider={provider} room={room} action={action} />
          <div className="flex min-h-0 grow">
            {isOwn && room === 'wide' ? <ToolRail desk={desk} direction="column" /> : null}
            <div className="relative min-h-0 min-w-0 grow">
              {isOwn ? (
                <>
                  <Plot pair={pair} lines={lines} settings={desk.settings} drawings={desk.drawings} />
                  <SelectionBar desk={desk} board={board} />
                </>
              ) : (
                <ThirdPartyChart
                  pair={pair}
                  timeframe={desk.settings.timeframe}
                  onBack={() => chooseProvider('built-in')}
                  onFailure={onFailure}
                />
              )}
            </div>
          </div>
        </>
      )}
    </div>
  );
}
