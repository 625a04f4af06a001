/** What is drawn with the candles: volume at their foot, two simple moving averages, RSI and MACD (TRADE-19). */
import { type Chart, registerIndicator } from 'klinecharts';
import { formatFigure } from '../../../shared/numbers/index.ts';
import type { Bar } from './bars.ts';
import type { ChartColours } from './chart-theme.ts';

export const studies = {
  average: { name: 'MA', periods: [20, 50] },
  rsi: { name: 'RSI', paneId: 'rsi', period: 14, heightPx: 84 },
  macd: { name: 'MACD', paneId: 'macd', heightPx: 92 },
  volume: { name: 'fulcrum-volume' },
} as const;

const pricePane = 'candle_pane';
const volumeShare = 0.13;
const volumeOpacity = 0.2;
const bandOpacity = 0.05;
const lineWidth = 1.3;
const rsiBand = [30, 70] as const;

const noTooltip = () => ({ name: '', calcParamsText: '', features: [], legends: [] });
let registered = false;

/** Makes the house's own studies known to klinecharts, once per page. */
export function registerStudies(): void {
  if (registered) return;
  registered = true;
  registerIndicator<unknown, unknown, ChartColours>({
    name: studies.volume.name,
    figures: [],
    // It draws itself, so the price axis is not stretched by volumes.
    calc: (bars) => bars.map(() => ({})),
    createTooltipDataSource: noTooltip,
    draw: ({ ctx, chart, bounding, xAxis, indicator: { extendData: colours } }) => {
      const bars = chart.getDataList() as readonly Bar[];
      const { from, to } = chart.getVisibleRange();
      const first = Math.max(0, from);
      const visible = bars.slice(first, to);
      const peak = visible.reduce((most, bar) => Math.max(most, bar.volume), 0);
      if (peak === 0) return true;
      const width = Math.max(1, chart.getBarSpace().gapBar);
      ctx.save();
      ctx.globalAlpha = volumeOpacity;
      visible.forEach((bar, index) => {
        const height = (bar.volume / peak) * bounding.height * volumeShare;
        ctx.fillStyle = bar.close >= bar.open ? colours.up : colours.down;
        ctx.fillRect(
          xAxis.convertToPixel(first + index) - width / 2,
          bounding.height - height,
          width,
          height,
        );
      });
      ctx.restore();
      return true;
    },
  });
}

/** Puts the studies on a chart, in the given colours. */
export function drawStudies(chart: Chart, colours: ChartColours): void {
  const line = (color: string) => ({ color, size: lineWidth });
  const { average, rsi, macd, volume } = studies;
  chart.createIndicator({ name: volume.name, paneId: pricePane, extendData: colours, zLevel: -1 }, true);
  chart.createIndicator(
    {
      name: average.name,
      calcParams: [...average.periods],
      paneId: pricePane,
      styles: { lines: [line(colours.series1), line(colours.series2)] },
      // Its values stand in the candles' own legend.
      createTooltipDataSource: noTooltip,
    },
    true,
  );
  chart.createIndicator({
    name: rsi.name,
    paneId: rsi.paneId,
    calcParams: [rsi.period],
    precision: 2,
    minValue: 0,
    maxValue: 100,
    styles: { lines: [line(colours.accent)] },
    draw: ({ ctx, bounding, yAxis }) => {
      const [low, high] = rsiBand.map((level) => yAxis.convertToPixel(level));
      if (low === undefined || high === undefined) return false;
      ctx.save();
      ctx.globalAlpha = bandOpacity;
      ctx.fillStyle = colours.accent;
      ctx.fillRect(0, high, bounding.width, low - high);
      ctx.globalAlpha = 0.35;
      ctx.strokeStyle = colours.text3;
      ctx.setLineDash([2, 4]);
      for (const y of [low, high]) {
        ctx.beginPath();
        ctx.moveTo(0, Math.round(y) + 0.5);
        ctx.lineTo(bounding.width, Math.round(y) + 0.5);
        ctx.stroke();
      }
      ctx.restore();
      // The line itself stays the library's.
      return false;
    },
  });
  chart.createIndicator({
    name: macd.name,
    paneId: macd.paneId,
    precision: 2,
    styles: {
      bars: [{ style: 'fill', upColor: colours.up, downColor: colours.down, noChangeColor: colours.text3 }],
      lines: [line(colours.series2), line(colours.series1)],
    },
  });
  chart.setPaneOptions({ id: rsi.paneId, height: rsi.heightPx, minHeight: 48, dragEnabled: true });
  chart.setPaneOptions({ id: macd.paneId, height: macd.heightPx, minHeight: 48, dragEnabled: true });
}

export function removeStudies(chart: Chart): void {
  for (const { id } of chart.getIndicators()) chart.removeIndicator({ id });
}

/** The moving averages' values at a bar, for the legend: `SMA 20 97,599.06`. */
export function averageLegends(chart: Chart, index: number, decimals: number, colours: ChartColours) {
  const [indicator] = chart.getIndicators({ name: studies.average.name });
  const values = indicator?.result[index] as Readonly<Record<string, number | undefined>> | undefined;
  const inks = [colours.series1, colours.series2];
  return studies.average.periods.map((period, place) => ({
    title: { text: `SMA ${period}  `, color: colours.text3 },
    value: { text: formatFigure(values?.[`ma${place + 1}`], decimals), color: inks[place] ?? colours.text2 },
  }));
}
