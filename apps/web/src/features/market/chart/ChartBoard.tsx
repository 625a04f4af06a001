/**
 * A chart with its controls: toolbar, tool rail, and the built-in or the third-party chart. The trading screen has
 * one beside the order form and one in full screen. Both show the same pair's settings.
 */
import { texts } from '@fulcrum/contract/texts';
import { type ReactNode, useMemo, useState } from 'react';
import { useActions } from '../../../shared/actions/index.ts';
import { lazyPart, missingPart } from '../../../shared/code/lazy-part.tsx';
import { decimalsOfStep } from '../../../shared/numbers/index.ts';
import { Spinner, useWidth } from '../../../shared/ui/index.ts';
import type { Pair } from '../pairs/usePairs.ts';
import type { CandleChartProps } from './CandleChart.tsx';
import type { ChartMarket, PriceLine } from './candle-chart.ts';
import type { FillMark } from './fill-marks.ts';
import { PriceMenu } from './price-menu/PriceMenu.tsx';
import { type PriceMenuEntries, type PricePoint, toGridPrice } from './price-menu/price-menu.ts';
import type { ChartAppearance, ChartSettings } from './settings/chart-settings.ts';
import { chooseProvider } from './settings/charts-store.ts';
import { studyKinds } from './settings/studies.ts';
import { useProvider } from './third-party/provider.ts';
import { ThirdPartyChart } from './third-party/ThirdPartyChart.tsx';
import { ChartToolbar, type ToolbarWidth } from './toolbar/ChartToolbar.tsx';
import { TypedTimeframe } from './toolbar/TypedTimeframe.tsx';
import { SelectionBar } from './tools/SelectionBar.tsx';
import { ToolRail } from './tools/ToolRail.tsx';
import { useChartController } from './tools/useChartController.ts';
import { useDrawingKeys } from './tools/useDrawingKeys.ts';
import type { Drawings } from './tools/useDrawingLayer.ts';

const CandleChart = lazyPart<CandleChartProps>(
  () => import('./CandleChart.tsx'),
  missingPart(texts.chartUnavailable),
);
const leastPriceDecimals = 2;
const noLines: readonly PriceLine[] = [];
const noFills: readonly FillMark[] = [];

/** Chart widths: from the first, labels and rail fit; below the second, the toolbar takes two rows. */
const wideFromPx = 940;
const slimBelowPx = 640;

export interface ChartProps {
  readonly pair: Pair;
  /** Levels of the pair's open positions and orders; must be stable while they are. */
  readonly lines: readonly PriceLine[];
  /** The user's fills of the pair; must be stable while they are. */
  readonly fills?: readonly FillMark[] | undefined;
  /** Stands over the chart, beneath its legend, while positions and orders are shown on it; a slim chart has no room. */
  readonly overlay?: ReactNode;
  /** What other features offer at a price of the chart. */
  readonly priceMenuEntries?: PriceMenuEntries | undefined;
}

interface PlotProps extends ChartProps {
  readonly settings: ChartSettings;
  readonly drawings?: Drawings;
  readonly variant?: 'full' | 'glance';
  readonly onStudyButton?: CandleChartProps['onStudyButton'];
  readonly onPrice?: CandleChartProps['onPrice'];
}

const toPriceDecimals = ({ tickSize }: Pick<Pair, 'tickSize'>): number =>
  Math.max(leastPriceDecimals, decimalsOfStep(tickSize));

export function Plot({
  pair,
  lines,
  fills = noFills,
  settings,
  drawings,
  variant = 'full',
  onStudyButton,
  onPrice,
}: PlotProps) {
  const { symbol, tradingHours, tickSize, stepSize } = pair;
  const { timeframe, kind, shown, periods, added, concealed, grid, extremes } = settings;
  const market = useMemo<ChartMarket>(
    () => ({
      symbol,
      timeframe,
      tradingHours,
      priceDecimals: toPriceDecimals({ tickSize }),
      sizeDecimals: decimalsOfStep(stepSize),
    }),
    [symbol, timeframe, tradingHours, tickSize, stepSize],
  );
  const appearance = useMemo<ChartAppearance>(
    () => ({ kind, shown, periods, added, concealed, grid, extremes }),
    [kind, shown, periods, added, concealed, grid, extremes],
  );
  return (
    <CandleChart
      waiting={
        <div className="grid h-full place-items-center">
          <Spinner size={24} label="Loading the chart" />
        </div>
      }
      market={market}
      lines={settings.lines ? lines : noLines}
      fills={settings.lines ? fills : noFills}
      appearance={appearance}
      variant={variant}
      {...(drawings && { drawings })}
      {...(onStudyButton && { onStudyButton })}
      {...(onPrice && { onPrice })}
    />
  );
}

const toToolbarWidth = (width: number): ToolbarWidth =>
  width >= wideFromPx ? 'wide' : width >= slimBelowPx ? 'narrow' : 'slim';

/** Of the chart's legend, px: what its candles take, and each study among them. A fill wraps on a narrower chart. */
const legendPx = { candles: 36, line: 19, wrapsBelow: 1_040 } as const;
const toLegendEnd = ({ added }: ChartSettings, mayWrap: boolean): number =>
  legendPx.candles +
  legendPx.line *
    (Number(mayWrap) + added.filter(({ name }) => studyKinds[name].location === 'price').length);

const pricePanelShare = 0.5;

/** Under which a second chart stores its settings of a pair. */
const toSecondKey = (symbol: string): string => `${symbol} 2`;

interface ChartBoardProps extends ChartProps {
  /** Shown at the right end of the toolbar. */
  readonly action?: ReactNode;
  /** A low chart never shows the rail, however wide it is. */
  readonly height?: 'full' | 'low';
  /** A second chart has settings of its own, and leaves the keys of the chart to the first. */
  readonly rank?: 'first' | 'second';
}

export function ChartBoard({
  pair,
  overlay,
  lines,
  fills = noFills,
  priceMenuEntries,
  action,
  height = 'full',
  rank = 'first',
}: ChartBoardProps) {
  const hasKeys = rank === 'first';
  const controller = useChartController(hasKeys ? pair.symbol : toSecondKey(pair.symbol));
  const { provider, onFailure } = useProvider();
  const [board, width] = useWidth();
  useDrawingKeys(board, controller);
  const isOwn = provider === 'built-in';
  const [pricePoint, setPricePoint] = useState<(PricePoint & { readonly symbol: string }) | null>(null);
  const decimals = toPriceDecimals(pair);
  const openAt = ({ x, y, price }: PricePoint) =>
    setPricePoint({ x, y, price: toGridPrice(price, pair.tickSize, decimals), symbol: pair.symbol });
  const openAtLast = () => {
    const last = controller.lastPrice();
    if (last) openAt({ ...last, x: width * pricePanelShare });
  };
  useActions(
    hasKeys
      ? [
          {
            id: 'chart-price-menu',
            label: 'Trade at or copy a price of the chart',
            group: 'Chart',
            keys: ['P'],
            perform: openAtLast,
          },
        ]
      : [],
  );
  const fullToolbarWidth = toToolbarWidth(width);
  const toolbarWidth = height === 'low' && fullToolbarWidth === 'wide' ? 'narrow' : fullToolbarWidth;
  return (
    <div ref={board} tabIndex={-1} className="flex min-h-0 grow flex-col outline-none">
      {/* Nothing is laid out before the width is known, so nothing jumps. */}
      {width === 0 ? null : (
        <>
          <ChartToolbar
            controller={controller}
            provider={provider}
            toolbarWidth={toolbarWidth}
            action={action}
            onPriceMenu={openAtLast}
          />
          <div className="flex min-h-0 grow">
            {isOwn && toolbarWidth === 'wide' ? (
              <ToolRail controller={controller} direction="column" />
            ) : null}
            <div className="relative min-h-0 min-w-0 grow">
              {isOwn ? (
                <>
                  <Plot
                    pair={pair}
                    lines={lines}
                    fills={fills}
                    settings={controller.settings}
                    drawings={controller.drawings}
                    onStudyButton={controller.onStudyButton}
                    onPrice={openAt}
                  />
                  {pricePoint?.symbol === pair.symbol ? (
                    <PriceMenu
                      key={`${pricePoint.x} ${pricePoint.y}`}
                      pair={pair}
                      decimals={decimals}
                      point={pricePoint}
                      entries={priceMenuEntries}
                      onClose={() => setPricePoint(null)}
                      board={board}
                    />
                  ) : null}
                  {hasKeys ? <TypedTimeframe controller={controller} /> : null}
                  {overlay && toolbarWidth !== 'slim' && controller.settings.lines ? (
                    <div
                      className="absolute left-3 z-10"
                      style={{
                        top: toLegendEnd(
                          controller.settings,
                          fills.length > 0 && width < legendPx.wrapsBelow,
                        ),
                      }}
                    >
                      {overlay}
                    </div>
                  ) : null}
                  <SelectionBar controller={controller} board={board} />
                </>
              ) : (
                <ThirdPartyChart
                  pair={pair}
                  timeframe={controller.settings.timeframe}
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
