/**
 * Marks the user's own fills on their bars: a triangle below the bar for a buy, above it for a sale. The legend of the
 * candle under the crosshair names them. Known limitation: fills older than the closed positions that the account
 * lists have no mark; in an account with net positions, those beyond its latest 500 of the pair.
 */
import { type IndicatorTemplate, registerIndicator } from 'klinecharts';
import type { ChartColours } from './chart-theme.ts';
import type { FillMark } from './fill-marks.ts';

export interface FillsData {
  readonly colours: ChartColours;
  readonly byBar: ReadonlyMap<number, readonly FillMark[]>;
}

export const fillsName = 'fulcrum-fills';
const gapPx = 5;
const halfPx = 4.5;
const heightPx = 7;

const template: IndicatorTemplate<unknown, unknown, () => FillsData> = {
  name: fillsName,
  figures: [],
  calc: (bars) => bars.map(() => ({})),
  createTooltipDataSource: () => ({ name: '', calcParamsText: '', features: [], legends: [] }),
  draw: ({ ctx, chart, xAxis, yAxis, indicator: { extendData } }) => {
    // A function: klinecharts copies an object, which a map does not survive.
    const { colours, byBar } = extendData();
    if (byBar.size === 0) return true;
    const bars = chart.getDataList();
    const { from, to } = chart.getVisibleRange();
    ctx.save();
    ctx.lineWidth = 1;
    ctx.strokeStyle = colours.surface;
    for (let index = Math.max(0, from); index < Math.min(to, bars.length); index += 1) {
      const bar = bars[index];
      if (!bar) continue;
      const sides = new Set(byBar.get(bar.timestamp)?.map(({ side }) => side));
      for (const side of sides) {
        const isBuy = side === 'BUY';
        const down = isBuy ? 1 : -1;
        const x = xAxis.convertToPixel(index);
        const tip = yAxis.convertToPixel(isBuy ? bar.low : bar.high) + down * gapPx;
        ctx.beginPath();
        ctx.moveTo(x, tip);
        ctx.lineTo(x + halfPx, tip + down * heightPx);
        ctx.lineTo(x - halfPx, tip + down * heightPx);
        ctx.closePath();
        ctx.fillStyle = isBuy ? colours.up : colours.down;
        ctx.fill();
        ctx.stroke();
      }
    }
    ctx.restore();
    return true;
  },
};

/** Registers the marks with klinecharts; call it once per page. */
export const registerFills = (): void => registerIndicator(template);
