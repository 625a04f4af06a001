/**
 * The one place that knows klinecharts. It turns a market and a timeframe into a moving chart: history in pages of bars,
 * the last bar from ticks, corrected from the server when a bar closes (ticks are samples; the server's candle has every
 * extreme). Invariant: after `dispose()` no timer, subscription or pending answer touches the chart.
 */

import type { Timeframe } from '@fulcrum/contract';
import { nextBar } from '@fulcrum/domain';
import { type Chart, init, type KLineData, dispose as remove, type TooltipLegend } from 'klinecharts';
import { log } from '../../../shared/log/log.ts';
import { formatFigure, formatPercent } from '../../../shared/numbers/index.ts';
import { timeTicks, withoutCovered } from './axis-ticks.ts';
import { type Bar, barAfterTick, correctedBars, countdown } from './bars.ts';
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
import { gapWords, registerGaps } from './gaps.ts';
import { registerPriceLines } from './lines/line-figures.ts';
import { axisRange, rangeWithLines } from './lines/line-range.ts';
import { lastPricePlace, placeTags } from './lines/pill-places.ts';
import type { PriceLine } from './lines/price-line.ts';
import { createPriceLines } from './lines/price-lines-layer.ts';
import { type ChartLook, defaultSettings } from './settings/chart-settings.ts';
import { createDrawingLayer, type DrawingLayer } from './tools/drawing-layer.ts';
import { registerDrawings } from './tools/drawing-templates.ts';

export type { Bar } from './bars.ts';
export type { PriceLine } from './lines/price-line.ts';

export interface ChartMarket {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  /** What its trading days are reckoned by. */
  readonly tradingHours: string;
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}

export interface ChartTick {
  readonly price: number;
  /** The market's time of it, ms since the epoch. */
  readonly at: number;
  /** A price of a shut market is shown but makes no bar. */
  readonly isOpen: boolean;
}

export interface ChartSource {
  /** Bars oldest first; `before` (ms) asks for bars that opened earlier. Rejects when they cannot be had. */
  readonly bars: (market: ChartMarket, limit: number, before: number | null) => Promise<Bar[]>;
  /** Calls back with each price; returns the way to stop. */
  readonly ticks: (symbol: string, tick: (tick: ChartTick) => void) => () => void;
  /** The market's present, ms since the epoch. */
  readonly now: (symbol: string) => number;
  /** Whether the market trades; a shut one has no bar that runs. */
  readonly isOpen: (symbol: string) => boolean;
}

export interface CandleChart {
  readonly show: (market: ChartMarket) => void;
  readonly setLines: (lines: readonly PriceLine[]) => void;
  /** Kind of bar, studies and grid. */
  readonly setLook: (look: ChartLook) => void;
  readonly drawings: DrawingLayer;
  /** What is on the canvas as a PNG, in a data URL. */
  readonly picture: () => string;
  /** Reads the tokens again, after a change of theme or palette. */
  readonly recolour: () => void;
  readonly dispose: () => void;
}

/** The server's limit: one request for what a screen shows, and a good way back. */
const pageOfBars = 1_000;
/** The small chart shows the newest bars alone; the averages begin before them. */
const glancedBars = 200;
const correctionDelayMs = 1_500;
/** Bars that may open between the question for closed bars and its answer. */
const barsMeanwhile = 10;

/** A phone's chart has thinner bars and less room at the right. */
const narrowPx = 600;
const roomy = { barPx: 8, freeBars: 12 } as const;
const narrow = { barPx: 6, freeBars: 3 } as const;
const glanced = { barPx: 5, freeBars: 2 } as const;
/** A lost stretch of bars is read again at most this often. */
const rereadEveryMs = 30_000;
const pricePane = 'candle_pane';
const countdownOffsetPx = 18;

/** One line over the candles: open, high, low, close and change in the bar's colour, then the averages. */
function legends(
  chart: Chart,
  bar: KLineData | null,
  market: ChartMarket,
  colours: ChartColours,
): TooltipLegend[] {
  if (!bar) return [];
  const { open, high, low, close } = bar;
  const color = close >= open ? colours.up : colours.down;
  const figure = (title: string, value: number) => ({
    title: { text: `${title} `, color: colours.text3 },
    value: { text: formatFigure(value, market.priceDecimals), color },
  });
  const change = { title: '', value: { text: formatPercent(((close - open) / open) * 100), color } };
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
      ? [{ title: '', value: { text: `${gapWords} before`, color: colours.warn } }]
      : []),
    ...averageLegends(chart, index, market.priceDecimals, colours),
  ];
}

let registered = false;
function register(): void {
  if (registered) return;
  registered = true;
  registerStudies();
  registerPriceLines();
  registerGaps();
  registerDrawings();
}

/**
 * Puts a chart into `container`. `glance` is the small one of the phone: no studies, no legend, no zoom.
 * `onLoaded` is told whether there is any bar, `onFailure` is called when history cannot be loaded; throws when the
 * browser cannot draw at all.
 */
export function createCandleChart(
  container: HTMLElement,
  source: ChartSource,
  options: {
    glance: boolean;
    /** An element over the chart for the pills of its lines; without it the lines are bare. */
    pills: HTMLElement | null;
    onFailure: (error: unknown) => void;
    onLoaded: (isEmpty: boolean) => void;
  },
): CandleChart {
  register();
  let colours: ChartColours = readColours();
  let look: ChartLook = defaultSettings;
  let market: ChartMarket | null = null;
  let disposed = false;
  let correction: ReturnType<typeof setTimeout> | undefined;
  /** Opening time of the oldest bar made of ticks since the last correction; null when there is none. */
  let sampledFrom: number | null = null;
  let isTrading = false;

  const page = options.glance ? glancedBars : pageOfBars;
  const styles = () =>
    chartStyles(colours, {
      glance: options.glance,
      look,
      legends: ({ current }) => (chart && market ? legends(chart, current, market, colours) : []),
    });
  const chart = init(container, {
    timezone: 'UTC',
    formatter: {
      formatExtendText: ({ data }) =>
        market && source.isOpen(market.symbol)
          ? countdown(market, data.timestamp, source.now(market.symbol))
          : '',
    },
    layout: { yAxis: { position: 'right', inside: false } },
    // Its keys listen to the whole page; ours have names and a switch.
    hotkey: { enabled: false },
    // Every figure of the axes passes here: none is folded, and a minus is the true one.
    decimalFold: { format: (value) => `${value}`.replace('-', '\u2212') },
  });
  if (!chart) throw new Error('The chart could not be created.');
  // The library would put its canvas before everything else that the Tab key reaches.
  chart.getDom()?.setAttribute('tabindex', '-1');
  chart.setStyles(styles());
  const spacing = options.glance ? glanced : container.clientWidth < narrowPx ? narrow : roomy;
  chart.setBarSpace(spacing.barPx);
  chart.setOffsetRightDistance(spacing.freeBars * spacing.barPx);

  const priceLines = createPriceLines(chart, { layer: options.pills, colours: () => colours });
  chart.overrideYAxis({
    paneId: pricePane,
    createRange: ({ defaultRange }) => axisRange(rangeWithLines(defaultRange, priceLines.levels())),
    createTicks: ({ range, bounding, defaultTicks }) => {
      const close = lastBar()?.close;
      if (close === undefined) return defaultTicks;
      const placeOf = (price: number) => ((range.to - price) / range.range) * bounding.height;
      const last = lastPricePlace(placeOf(close), bounding.height);
      const levels = priceLines.tagged().map(placeOf);
      const visible = levels.filter((level) => level >= 0 && level <= bounding.height);
      const tags = placeTags(visible, last, bounding.height).filter((place) => place !== null);
      // The countdown stands beneath the last price.
      return withoutCovered(defaultTicks, [last, last + countdownOffsetPx, ...tags]);
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
  const isShown = (asked: ChartMarket) => !disposed && asked === market;

  /**
   * After a bar has closed: take the server's version of it, extremes and volume included. At replay speed several bars
   * close within the delay; all since the last correction are read, at most a page.
   */
  function correctSince(asked: ChartMarket, opening: number): void {
    sampledFrom = Math.min(sampledFrom ?? opening, opening);
    correction ??= setTimeout(async () => {
      correction = undefined;
      const from = sampledFrom ?? opening;
      sampledFrom = null;
      try {
        const fresh = await source.bars(asked, Math.min(barsSince(from).length + barsMeanwhile, page), null);
        if (!isShown(asked)) return;
        const held = barsSince(from);
        const last = held.at(-1);
        const forming = isTrading ? last : undefined;
        const corrected = new Map(correctedBars(held, fresh, forming).map((bar) => [bar.timestamp, bar]));
        for (const bar of held) Object.assign(bar, corrected.get(bar.timestamp));
        // The library draws anew, averages included, when it is given its last bar.
        if (last) giveBar?.({ ...last } as unknown as KLineData);
      } catch (cause) {
        if (!isShown(asked)) return;
        // They are read with the next bar that closes.
        sampledFrom = Math.min(sampledFrom ?? from, from);
        log.warn('Closed bars keep their sampled extremes for now', cause);
      }
    }, correctionDelayMs);
  }

  /** Bars are missing between the last one and the next: the page slept or the line was down. */
  function hasGap({ timeframe }: ChartMarket, last: Bar, next: Bar): boolean {
    return next.timestamp > nextBar(timeframe, last.timestamp);
  }

  let rereadAt = 0;
  /** Loads the history anew unless that has just been done; whether it does. */
  function reread(): boolean {
    if (Date.now() - rereadAt <= rereadEveryMs) return false;
    rereadAt = Date.now();
    chart?.resetData();
    return true;
  }

  let giveBar: ((bar: KLineData) => void) | null = null;
  let stopTicks: (() => void) | null = null;
  chart.setDataLoader({
    getBars: async ({ type, timestamp, callback }) => {
      const asked = market;
      if (!asked || type === 'backward' || type === 'update') return callback([], false);
      try {
        const bars = await source.bars(asked, page, type === 'forward' ? timestamp : null);
        if (!isShown(asked)) return;
        // In klinecharts' words `forward` is the past.
        callback(bars as unknown as KLineData[], {
          forward: !options.glance && bars.length === page,
          backward: false,
        });
        if (type === 'init') options.onLoaded(bars.length === 0);
      } catch (error) {
        if (!isShown(asked)) return;
        callback([], false);
        if (type === 'init') options.onFailure(error);
      }
    },
    subscribeBar: ({ callback }) => {
      const asked = market;
      if (!asked) return;
      stopTicks?.();
      giveBar = callback;
      isTrading = false;
      stopTicks = source.ticks(asked.symbol, ({ price, at, isOpen }) => {
        if (!isShown(asked)) return;
        const last = lastBar();
        if (!last) {
          // A tick would become a lone bar: ask for the history of a pair that had none.
          reread();
          return;
        }
        if (!isOpen) {
          if (isTrading) correctSince(asked, last.timestamp);
          isTrading = false;
          return;
        }
        isTrading = true;
        const next = barAfterTick(last, asked, price, at);
        if (!next || (hasGap(asked, last, next) && reread())) return;
        callback(next as unknown as KLineData);
        if (next.timestamp !== last.timestamp) correctSince(asked, last.timestamp);
      });
    },
    unsubscribeBar: () => {
      stopTicks?.();
      stopTicks = null;
      giveBar = null;
    },
  });

  if (options.glance) {
    chart.setZoomEnabled(false);
    chart.setScrollEnabled(false);
  }

  const drawings = createDrawingLayer(chart, container, colours);
  const draw = () => {
    if (options.glance) {
      if (look.shown.sma) drawAverages(chart, colours, look);
      return;
    }
    drawStudies(chart, colours, look);
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
    },
    setLines: priceLines.setLines,
    setLook(next) {
      if (next === look) return;
      look = next;
      chart.setStyles(styles());
      removeStudies(chart);
      draw();
    },
    drawings,
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
