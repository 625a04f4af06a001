/**
 * The adapter to klinecharts. It shows a market and a timeframe as a live chart: history in pages of bars, the last
 * bar from ticks. When a bar closes, the chart reads the server's version, because ticks are samples and the server's
 * candle has every extreme.
 *
 * Invariant: after `dispose()` no timer, subscription or pending answer touches the chart.
 */

import type { Timeframe } from '@fulcrum/contract';
import { nextBar } from '@fulcrum/domain';
import { type Chart, init, type KLineData, dispose as remove, type TooltipLegend } from 'klinecharts';
import { log } from '../../../shared/log/log.ts';
import { foldZeros } from '../../../shared/numbers/fold-zeros.ts';
import { formatFigure, formatPercent, toTrueMinus } from '../../../shared/numbers/index.ts';
import { priceTicks, timeTicks } from './axis-ticks.ts';
import { type Bar, barAfterTick, correctedBars, formatCountdown } from './bars.ts';
import { periods } from './chart-periods.ts';
import {
  averageLegends,
  drawAverages,
  drawStudies,
  registerStudies,
  removeStudies,
  setPriceDecimals,
} from './chart-studies.ts';
import { type ChartColours, chartStyles, readColours } from './chart-theme.ts';
import { type FillMark, fillsByBar } from './fill-marks.ts';
import { type FillsData, fillsName, registerFills } from './fills.ts';
import { gapLabel, registerGaps } from './gaps.ts';
import { registerPriceLines } from './lines/line-figures.ts';
import { toAxisRange, widenRange } from './lines/line-range.ts';
import { getLastPriceTagY, layOutTags } from './lines/pill-layout.ts';
import type { PriceLine } from './lines/price-line.ts';
import { createPriceLines } from './lines/price-lines-layer.ts';
import { type ChartAppearance, defaultSettings } from './settings/chart-settings.ts';
import type { StudyId } from './settings/studies.ts';
import { parseStudyButton, type StudyButton } from './study-legend.ts';
import { createDrawingLayer, type DrawingLayer } from './tools/drawing-layer.ts';
import { registerDrawings } from './tools/drawing-templates.ts';

export type { Bar } from './bars.ts';
export type { PriceLine } from './lines/price-line.ts';

export interface ChartMarket {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** Defines the market's trading days. */
  readonly tradingHours: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

export interface ChartTick {
  readonly price: number;
  /** The market's time of the price, ms since the epoch. */
  readonly at: number;
  /** The price of a closed market is shown but makes no bar. */
  readonly isOpen: boolean;
}

export interface ChartSource {
  /** Bars oldest first; `before` (ms) requests bars that opened earlier. Rejects when they cannot be read. */
  readonly bars: (market: ChartMarket, limit: number, before: number | null) => Promise<Bar[]>;
  /** Calls back with each price; returns the function that stops it. */
  readonly ticks: (symbol: string, tick: (tick: ChartTick) => void) => () => void;
  /** The market's current time, ms since the epoch. */
  readonly now: (symbol: string) => number;
  /** Returns whether the market trades; a closed one has no forming bar. */
  readonly isOpen: (symbol: string) => boolean;
}

export interface CandleChart {
  readonly show: (market: ChartMarket) => void;
  readonly setLines: (lines: readonly PriceLine[]) => void;
  /** Sets the kind of bar, studies and grid. */
  readonly setAppearance: (appearance: ChartAppearance) => void;
  /** Marks the user's fills. */
  readonly setFills: (fills: readonly FillMark[]) => void;
  readonly drawings: DrawingLayer;
  /** The price at a height of the chart, px from its top; null outside of the price pane. */
  readonly priceAt: (y: number) => number | null;
  /** The newest price and the height at which it is drawn; null without a bar. */
  readonly lastPrice: () => { readonly price: number; readonly y: number } | null;
  /** The canvas as a PNG data URL. */
  readonly picture: () => string;
  /** Reads the colour tokens again after a change of theme or palette. */
  readonly recolour: () => void;
  readonly dispose: () => void;
}

/** The server's limit per request; fills a screen and leaves room to scroll back. */
const pageOfBars = 1_000;
/** The small chart shows only the newest bars; its averages need some earlier ones. */
const smallChartBars = 200;
const correctionDelayMs = 1_500;
/** Bars that may open between the request for closed bars and its answer. */
const extraBars = 10;

/** Below this width, bars are thinner and the right margin is smaller. */
const narrowPx = 600;
const roomy = { barPx: 8, freeBars: 12 } as const;
const narrow = { barPx: 6, freeBars: 3 } as const;
const glanced = { barPx: 5, freeBars: 2 } as const;
/** The chart reads a missing range of bars again at most this often. */
const rereadEveryMs = 30_000;
const pricePane = 'candle_pane';
const countdownOffsetPx = 18;

/** One line over the candles: open, high, low, close and change in the bar's colour, then the averages. */
function legends(
  chart: Chart,
  bar: KLineData | null,
  market: ChartMarket,
  { colours, fills }: { readonly colours: ChartColours; readonly fills: FillsData['byBar'] },
): TooltipLegend[] {
  if (!bar) return [];
  const { open, high, low, close } = bar;
  const color = close >= open ? colours.up : colours.down;
  const figure = (title: string, value: number) => ({
    title: { text: `${title} `, color: colours.text3 },
    value: { text: foldZeros(formatFigure(value, market.priceDecimals)), color },
  });
  const change = { title: '', value: { text: formatPercent(((close - open) / open) * 100), color } };
  const barFills = fills.get(bar.timestamp) ?? [];
  const index = chart.getDataList().findLastIndex(({ timestamp }) => timestamp === bar.timestamp);
  return [
    {
      title: { text: `${market.symbol} `, color: colours.text },
      value: { text: market.timeframe, color: colours.text3 },
    },
    figure('O', open),
    figure('H', high),
    figure('L', low),
    figure('C', close),
    change,
    ...(bar.gap === true && index > 0
      ? [{ title: '', value: { text: `${gapLabel} before`, color: colours.warn } }]
      : []),
    ...averageLegends(chart, index, market.priceDecimals, colours),
    // The last one and how many more: a legend of several lines is covered by what stands beneath it.
    ...barFills.slice(-1).map(({ side, text }) => ({
      title: '',
      value: {
        text: `${side === 'BUY' ? '▲' : '▼'} ${text}${barFills.length > 1 ? ` +${barFills.length - 1}` : ''}`,
        color: side === 'BUY' ? colours.up : colours.down,
      },
    })),
  ];
}

let registered = false;
function register(): void {
  if (registered) return;
  registered = true;
  registerStudies();
  registerPriceLines();
  registerGaps();
  registerFills();
  registerDrawings();
}

/**
 * Creates a chart in `container`. `glance` is the phone's small chart: no studies, no legend, no zoom. `onLoaded`
 * receives whether there is any bar; `onFailure` is called when history cannot be loaded.
 * @throws when the browser cannot draw a canvas.
 */
export function createCandleChart(
  container: HTMLElement,
  source: ChartSource,
  options: {
    glance: boolean;
    /** An element over the chart for the pills of its lines; null draws the lines without pills. */
    pills: HTMLElement | null;
    onFailure: (error: unknown) => void;
    onLoaded: (isEmpty: boolean) => void;
    /** A press on a button of a study's legend. */
    onStudyButton: (id: StudyId, button: StudyButton) => void;
  },
): CandleChart {
  register();
  let colours: ChartColours = readColours();
  let appearance: ChartAppearance = defaultSettings;
  let market: ChartMarket | null = null;
  let disposed = false;
  let correction: ReturnType<typeof setTimeout> | undefined;
  /** Opening time of the oldest bar made from ticks since the last correction; null if there is none. */
  let sampledFrom: number | null = null;
  let isTrading = false;
  let fills: readonly FillMark[] = [];
  let barFills: FillsData['byBar'] = new Map();

  const page = options.glance ? smallChartBars : pageOfBars;
  const styles = () =>
    chartStyles(colours, {
      glance: options.glance,
      appearance,
      legends: ({ current }) =>
        chart && market ? legends(chart, current, market, { colours, fills: barFills }) : [],
    });
  const chart = init(container, {
    timezone: 'UTC',
    formatter: {
      formatExtendText: ({ data }) =>
        market && source.isOpen(market.symbol)
          ? formatCountdown(market, data.timestamp, source.now(market.symbol))
          : '',
    },
    layout: { yAxis: { position: 'right', inside: false } },
    // The library's keys listen on the whole page; the app's shortcuts are registered and can be switched off.
    hotkey: { enabled: false },
    // Formats every figure of the axes: a true minus sign, and tiny prices shortened to fit.
    decimalFold: { format: (value) => foldZeros(toTrueMinus(`${value}`)) },
  });
  if (!chart) throw new Error('The chart could not be created.');
  // The library would put its canvas first in the tab order.
  chart.getDom()?.setAttribute('tabindex', '-1');
  chart.setStyles(styles());
  const spacing = options.glance ? glanced : container.clientWidth < narrowPx ? narrow : roomy;
  chart.setBarSpace(spacing.barPx);
  chart.setOffsetRightDistance(spacing.freeBars * spacing.barPx);

  const priceLines = createPriceLines(chart, { layer: options.pills, colours: () => colours });
  chart.overrideYAxis({
    paneId: pricePane,
    createRange: ({ defaultRange }) => toAxisRange(widenRange(defaultRange, priceLines.levels())),
    createTicks: ({ range, bounding, defaultTicks }) => {
      const close = lastBar()?.close;
      if (close === undefined || !market) return defaultTicks;
      const toPixelY = (price: number) => ((range.to - price) / range.range) * bounding.height;
      const last = getLastPriceTagY(toPixelY(close), bounding.height);
      const levels = priceLines.tagged().map(toPixelY);
      const visible = levels.filter((level) => level >= 0 && level <= bounding.height);
      const tags = layOutTags(visible, last, bounding.height).filter((tag) => tag !== null);
      // The countdown is drawn beneath the last price.
      const { priceDecimals: decimals } = market;
      const format = (price: number) => foldZeros(formatFigure(price, decimals));
      const axis = { from: range.from, to: range.to, heightPx: bounding.height, decimals, format };
      return priceTicks(axis, [last, last + countdownOffsetPx, ...tags]);
    },
  });
  chart.overrideXAxis({
    createTicks: ({ range }) => {
      const bars = chart.getDataList();
      const from = Math.max(0, Math.floor(range.from));
      const visible = bars.slice(from, Math.ceil(range.to));
      return timeTicks(visible.map(({ timestamp }, index) => ({ at: timestamp, x: pixelOf(from + index) })));
    },
  });
  const pixelOf = (dataIndex: number): number => {
    const point = chart.convertToPixel({ dataIndex }, { paneId: pricePane });
    return Array.isArray(point) ? 0 : (point.x ?? 0);
  };

  const lastBar = () => chart.getDataList().at(-1) as Bar | undefined;
  const barsSince = (opening: number) =>
    (chart.getDataList() as Bar[]).filter(({ timestamp }) => timestamp >= opening);
  const isShown = (requestedMarket: ChartMarket) => !disposed && requestedMarket === market;

  /**
   * Reads the server's version of closed bars, extremes and volume included. During a fast replay several bars close
   * within the delay. All bars since the last correction are read, at most one page.
   */
  function correctSince(requestedMarket: ChartMarket, opening: number): void {
    sampledFrom = Math.min(sampledFrom ?? opening, opening);
    correction ??= setTimeout(async () => {
      correction = undefined;
      const from = sampledFrom ?? opening;
      sampledFrom = null;
      try {
        const fresh = await source.bars(
          requestedMarket,
          Math.min(barsSince(from).length + extraBars, page),
          null,
        );
        if (!isShown(requestedMarket)) return;
        const sampledBars = barsSince(from);
        const last = sampledBars.at(-1);
        const forming = isTrading ? last : undefined;
        const corrected = new Map(
          correctedBars(sampledBars, fresh, forming).map((bar) => [bar.timestamp, bar]),
        );
        for (const bar of sampledBars) Object.assign(bar, corrected.get(bar.timestamp));
        // The library redraws, averages included, when it receives its last bar again.
        if (last) pushBar?.({ ...last } as unknown as KLineData);
      } catch (cause) {
        if (!isShown(requestedMarket)) return;
        // These bars are read with the next one that closes.
        sampledFrom = Math.min(sampledFrom ?? from, from);
        log.warn('Closed bars keep their sampled extremes for now', cause);
      }
    }, correctionDelayMs);
  }

  /** Returns true if bars are missing before the next one: the page was suspended or the connection was down. */
  function hasGap({ timeframe }: ChartMarket, last: Bar, next: Bar): boolean {
    return next.timestamp > nextBar(timeframe, last.timestamp);
  }

  let rereadAt = 0;
  /** Reloads the history unless it was just reloaded; returns whether it does. */
  function reread(): boolean {
    if (Date.now() - rereadAt <= rereadEveryMs) return false;
    rereadAt = Date.now();
    chart?.resetData();
    return true;
  }

  let pushBar: ((bar: KLineData) => void) | null = null;
  let stopTicks: (() => void) | null = null;
  chart.setDataLoader({
    getBars: async ({ type, timestamp, callback }) => {
      const requestedMarket = market;
      if (!requestedMarket || type === 'backward' || type === 'update') return callback([], false);
      try {
        const bars = await source.bars(requestedMarket, page, type === 'forward' ? timestamp : null);
        if (!isShown(requestedMarket)) return;
        // klinecharts names the past `forward`.
        callback(bars as unknown as KLineData[], {
          forward: !options.glance && bars.length === page,
          backward: false,
        });
        if (type === 'init') options.onLoaded(bars.length === 0);
      } catch (error) {
        if (!isShown(requestedMarket)) return;
        callback([], false);
        if (type === 'init') options.onFailure(error);
      }
    },
    subscribeBar: ({ callback }) => {
      const requestedMarket = market;
      if (!requestedMarket) return;
      stopTicks?.();
      pushBar = callback;
      isTrading = false;
      stopTicks = source.ticks(requestedMarket.symbol, ({ price, at, isOpen }) => {
        if (!isShown(requestedMarket)) return;
        const last = lastBar();
        if (!last) {
          // A tick alone would become a single bar: load the history of a pair that had none.
          reread();
          return;
        }
        if (!isOpen) {
          if (isTrading) correctSince(requestedMarket, last.timestamp);
          isTrading = false;
          return;
        }
        isTrading = true;
        const next = barAfterTick(last, requestedMarket, price, at);
        if (!next || (hasGap(requestedMarket, last, next) && reread())) return;
        callback(next as unknown as KLineData);
        if (next.timestamp !== last.timestamp) correctSince(requestedMarket, last.timestamp);
      });
    },
    unsubscribeBar: () => {
      stopTicks?.();
      stopTicks = null;
      pushBar = null;
    },
  });

  if (options.glance) {
    chart.setZoomEnabled(false);
    chart.setScrollEnabled(false);
  }

  chart.subscribeAction('onIndicatorTooltipFeatureClick', (clicked) => {
    const event = parseStudyButton(clicked);
    if (event) options.onStudyButton(event.id, event.button);
  });
  const drawings = createDrawingLayer(chart, container, colours);
  const markFills = () => {
    barFills = market ? fillsByBar(fills, market) : new Map();
    chart.overrideIndicator({ name: fillsName, extendData: fillsData() });
  };
  /** A new function each time: a changed reference makes the library redraw. */
  const fillsData = () => (): FillsData => ({ colours, byBar: barFills });
  const draw = () => {
    chart.createIndicator({ name: fillsName, paneId: pricePane, extendData: fillsData() }, true);
    if (!options.glance) drawStudies(chart, colours, appearance, () => market);
    else if (appearance.shown.sma) drawAverages(chart, colours, appearance);
    if (market) setPriceDecimals(chart, market.priceDecimals);
  };
  draw();

  const observer = new ResizeObserver(() => chart.resize());
  observer.observe(container);

  return {
    show(next) {
      const before = market;
      market = next;
      clearTimeout(correction);
      correction = undefined;
      sampledFrom = null;
      rereadAt = 0;
      if (before?.symbol !== next.symbol) {
        priceLines.release();
        chart.setSymbol({
          ticker: next.symbol,
          pricePrecision: next.priceDecimals,
          volumePrecision: next.sizeDecimals,
        });
        setPriceDecimals(chart, next.priceDecimals);
        drawings.redraw(colours, next.priceDecimals);
      }
      if (before?.timeframe !== next.timeframe) chart.setPeriod(periods[next.timeframe]);
      markFills();
    },
    setFills(next) {
      fills = next;
      markFills();
    },
    setLines: priceLines.setLines,
    setAppearance(next) {
      if (next === appearance) return;
      appearance = next;
      chart.setStyles(styles());
      removeStudies(chart);
      draw();
    },
    drawings,
    priceAt(y) {
      const size = chart.getSize(pricePane, 'main');
      if (!size || y < 0 || y > size.height || chart.getDataList().length === 0) return null;
      const point = chart.convertFromPixel([{ x: 0, y }], { paneId: pricePane });
      const price = (Array.isArray(point) ? point[0] : point)?.value;
      return price !== undefined && price > 0 ? price : null;
    },
    lastPrice() {
      const price = lastBar()?.close;
      if (price === undefined) return null;
      const point = chart.convertToPixel({ value: price }, { paneId: pricePane });
      return { price, y: (Array.isArray(point) ? undefined : point.y) ?? 0 };
    },
    picture: () => chart.getConvertPictureUrl(true, 'png', colours.surface),
    recolour() {
      colours = readColours();
      chart.setStyles(styles());
      removeStudies(chart);
      draw();
      priceLines.redraw();
      if (market) drawings.redraw(colours, market.priceDecimals);
    },
    dispose() {
      disposed = true;
      observer.disconnect();
      stopTicks?.();
      clearTimeout(correction);
      priceLines.dispose();
      remove(container);
    },
  };
}
