/**
 * What is drawn over the candles: volume at the foot of the price pane, RSI, MACD in the house's colours, and horizontal
 * price lines with a label and an axis tag (entry, liquidation).
 */
import { type OverlayTemplate, registerIndicator, registerOverlay } from 'klinecharts';
import type { Bar } from './bars.ts';
import { type ChartColours, chartFont } from './chart-theme.ts';

export interface PriceLine {
  readonly id: string;
  readonly price: number;
  readonly label: string;
  /** The axis tag's text: the price in its tick. */
  readonly priceText: string;
  readonly tone: 'entry' | 'liquidation';
}
interface LineLook {
  readonly line: PriceLine;
  readonly colours: ChartColours;
}

export const priceLine = 'fulcrum-price-line';
export const volumeStudy = 'fulcrum-volume';

const volumeShare = 0.13;
const volumeOpacity = 0.2;
const labelHeight = 22;
const labelGap = 10;

const priceLineTemplate: OverlayTemplate<LineLook> = {
  name: priceLine,
  totalStep: 2,
  lock: true,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ coordinates, bounding, overlay }) => {
    const [at] = coordinates;
    const look = overlay.extendData;
    if (!at || !look) return [];
    const { colours, line } = look;
    const colour = line.tone === 'entry' ? colours.accent : colours.warn;
    return [
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: 0, y: at.y },
            { x: bounding.width, y: at.y },
          ],
        },
        styles:
          line.tone === 'entry'
            ? { style: 'solid', size: 1.2, color: colour }
            : { style: 'dashed', dashedValue: [2, 3], size: 1, color: colour },
        ignoreEvent: true,
      },
      {
        type: 'text',
        attrs: {
          x: bounding.width - labelGap,
          y: at.y,
          text: line.label,
          align: 'right',
          baseline: 'middle',
        },
        styles: {
          style: 'stroke_fill',
          color: colour,
          size: 11,
          weight: '600',
          family: chartFont,
          backgroundColor: colours.surface,
          borderColor: colour,
          borderSize: 1,
          borderRadius: 5,
          paddingLeft: 8,
          paddingRight: 8,
          paddingTop: (labelHeight - 11) / 2,
          paddingBottom: (labelHeight - 11) / 2,
        },
        ignoreEvent: true,
      },
    ];
  },
  createYAxisFigures: ({ coordinates, overlay, bounding }) => {
    const [at] = coordinates;
    const look = overlay.extendData;
    if (!at || !look) return [];
    const { colours, line } = look;
    return {
      type: 'text',
      attrs: {
        x: 0,
        y: at.y,
        width: bounding.width,
        text: line.priceText,
        align: 'left',
        baseline: 'middle',
      },
      styles: {
        style: 'fill',
        color: colours.onFill,
        size: 11,
        weight: '600',
        family: chartFont,
        backgroundColor: line.tone === 'entry' ? colours.accent : colours.warn,
        borderRadius: 3,
        paddingLeft: 6,
        paddingRight: 6,
        paddingTop: 3,
        paddingBottom: 3,
      },
      ignoreEvent: true,
    };
  },
};

let registered = false;

/** Makes the house's studies known to klinecharts, once per page. */
export function registerStudies(): void {
  if (registered) return;
  registered = true;
  registerOverlay(priceLineTemplate);
  registerIndicator<unknown, unknown, ChartColours>({
    name: volumeStudy,
    shortName: '',
    figures: [],
    // It draws itself, so the price axis is not stretched by volumes.
    calc: (bars) => bars.map(() => ({})),
    createTooltipDataSource: () => ({ name: '', calcParamsText: '', features: [], legends: [] }),
    draw: ({ ctx, chart, bounding, xAxis, indicator }) => {
      const colours = indicator.extendData;
      if (!colours) return true;
      const bars = chart.getDataList() as readonly Bar[];
      const { from, to } = chart.getVisibleRange();
      const visible = bars.slice(Math.max(0, from), to);
      const peak = visible.reduce((most, bar) => Math.max(most, bar.volume), 0);
      if (peak === 0) return true;
      const { halfGapBar } = chart.getBarSpace();
      const width = Math.max(1, halfGapBar * 2);
      ctx.save();
      ctx.globalAlpha = volumeOpacity;
      visible.forEach((bar, index) => {
        const height = (bar.volume / peak) * bounding.height * volumeShare;
        const x = xAxis.convertToPixel(Math.max(0, from) + index);
        ctx.fillStyle = bar.close >= bar.open ? colours.up : colours.down;
        ctx.fillRect(x - width / 2, bounding.height - height, width, height);
      });
      ctx.restore();
      return true;
    },
  });
}
