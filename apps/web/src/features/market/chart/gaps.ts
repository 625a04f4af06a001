/**
 * Where bars are missing: a thin dashed line before the first bar after them, named 'No data' where there is room. Quiet on
 * purpose, for it says that nothing is known and not that anything happened.
 */
import { type IndicatorTemplate, registerIndicator } from 'klinecharts';
import { type Bar, gapsWithin } from './bars.ts';
import { type ChartColours, chartFont } from './chart-theme.ts';

export const gapsName = 'fulcrum-gaps';
export const gapWords = 'No data';

const dash = [3, 4];
const lineOpacity = 0.7;
const textPx = 10;
/** Beneath the legend's line. */
const topPx = 34;
/** From a named line to the next: a closer one leaves no room for the name. */
const roomPx = 52;

const gaps: IndicatorTemplate<unknown, unknown, ChartColours> = {
  name: gapsName,
  figures: [],
  calc: (bars) => bars.map(() => ({})),
  createTooltipDataSource: () => ({ name: '', calcParamsText: '', features: [], legends: [] }),
  draw: ({ ctx, chart, bounding, xAxis, indicator: { extendData: colours } }) => {
    const { from, to } = chart.getVisibleRange();
    const places = gapsWithin(chart.getDataList() as readonly Bar[], from, to);
    if (places.length === 0) return true;
    const half = chart.getBarSpace().bar / 2;
    ctx.save();
    ctx.globalAlpha = lineOpacity;
    ctx.strokeStyle = colours.text3;
    ctx.fillStyle = colours.text3;
    ctx.font = `500 ${textPx}px ${chartFont}`;
    ctx.textBaseline = 'top';
    ctx.setLineDash(dash);
    const lines = places.map((place) => Math.round(xAxis.convertToPixel(place) - half) + 0.5);
    lines.forEach((x, index) => {
      ctx.beginPath();
      ctx.moveTo(x, topPx);
      ctx.lineTo(x, bounding.height);
      ctx.stroke();
      const next = lines[index + 1] ?? bounding.width;
      if (next - x >= roomPx) ctx.fillText(gapWords, x + 4, topPx);
    });
    ctx.restore();
    return true;
  },
};

/** Makes the marker known to klinecharts; call it once per page. */
export const registerGaps = (): void => registerIndicator(gaps);
