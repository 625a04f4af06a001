/** The chart as a PNG file: what is on the canvas, drawings and levels included. */
import { announce } from '../../../../shared/ui/index.ts';
import type { ChartDesk } from '../tools/useChartDesk.ts';

/** `EUR/USD 15m` as a file's name. */
const fileName = (symbol: string, timeframe: string): string =>
  `${symbol.replace(/[^A-Za-z0-9.]/g, '')}-${timeframe}.png`;

export function savePicture({ picture, symbol, settings }: ChartDesk): void {
  const url = picture();
  if (url === null) {
    announce('error', 'There is no chart to save yet');
    return;
  }
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(symbol, settings.timeframe);
  link.click();
}
