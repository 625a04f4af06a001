/**
 * Marks missing bars: a thin dashed line before the first bar after them, labelled 'No data' where it fits. The
 * marker is inconspicuous, because it reports missing data and not a market event.
 */
import { type IndicatorTemplate, registerIndicator } from 'klinecharts';
import { type Bar, findGaps } from './bars.ts';
import { type ChartColours, chartFont } from './chart-theme.ts';

export const gapsName = 'fulcrum-gaps';
export const gapLabel = 'No data';

const dash = [3, 4];
const lineOpacity = 0.7;
const textPx = 10;
/** Below the legend line. */
const topPx = 34;
/** Minimum distance from a labelled line to the next one; a shorter one leaves no room for the label. */
const roomPx = 52;

const gaps: IndicatorTemplate<unknown, unknown, ChartColours> = {
  name: gapsName,
  figures: [],
  calc: (bars) => bars.map(() => ({})),
  createTooltipDataSource: () => ({ name: '', calcParamsText: '', features: [], legends: [] }),
  draw: ({ ctx, chart, bounding, xAxis, indicator: { extendData: colours } }) => {
    const { from, to } = chart.getVisibleRange();
    const barIndices = findGaps(chart.getDataList() as readonly Bar[], from, to);
    if (barIndices.length === 0) return true;
    const half = chart.getBarSpace().bar / 2;
    ctx.save();
    ctx.globalAlpha = lineOpacity;
    ctx.strokeStyle = colours.text3;
    ctx.fillStyle = colours.text3;
    ctx.font = `500 ${textPx}px ${chartFont}`;
    ctx.textBaseline = 'top';
    ctx.setLineDash(dash);
    const lines = barIndices.map((index) => Math.round(xAxis.convertToPixel(index) - half) + 0.5);
    lines.forEach((x, index) => {
      ctx.beginPath();
      ctx.moveTo(x, topPx);
      ctx.lineTo(x, bounding.height);
      ctx.stroke();
      const next = lines[index + 1] ?? bounding.width;
      if (next - x >= roomPx) ctx.fillText(gapLabel, x + 4, topPx);
    });
    ctx.restore();
    return true;
  },
};

/** Registers the marker with klinecharts; call it once per page. */
export const registerGaps = (): void => registerIndicator(gaps);
