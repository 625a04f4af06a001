/** Saves the chart's canvas as a PNG file, drawings and levels included. */
import { showToast } from '../../../../shared/ui/index.ts';
import type { ChartController } from '../tools/useChartController.ts';

/** `EUR/USD 15m` as a file name. */
const fileName = (symbol: string, timeframe: string): string =>
  `${symbol.replace(/[^A-Za-z0-9.]/g, '')}-${timeframe}.png`;

export function savePicture({ picture, symbol, settings }: ChartController): void {
  const url = picture();
  if (url === null) {
    showToast('error', 'There is no chart to save yet');
    return;
  }
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(symbol, settings.timeframe);
  link.click();
}
