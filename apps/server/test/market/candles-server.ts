/** Candles on a real PostgreSQL with a scripted provider; a test may start several, which are stopped after it. */
import type { Candle, Timeframe } from '@fulcrum/contract';
import { minuteMs } from '@fulcrum/domain';
import { afterEach } from 'vitest';
import { PriceError } from '../../src/features/market/price-error.ts';
import { createSetting, type Setting } from './candle-provider.ts';

/** A Friday, 18:00 UTC: New York trades. */
export const start = Date.UTC(2026, 10, 20, 18);

const opened: Setting[] = [];
afterEach(async () => {
  for (const { candles } of opened) await candles.stop();
  await opened.splice(0)[0]?.db.close();
});
export async function open(...options: Parameters<typeof createSetting>): Promise<Setting> {
  const setting = await createSetting(...options);
  opened.push(setting);
  return setting;
}
export function restart(setting: Setting): Setting {
  const next = setting.restart();
  opened.push(next);
  return next;
}

export const chart = (
  { candles }: Setting,
  timeframe: Timeframe,
  limit = 300,
  before: number | null = null,
  symbol = 'BTCUSDT',
) => candles.candles(symbol, timeframe, { limit, before });
/** Live ticks, one every 30 s, for whole minutes. */
export async function live({ tick, timers }: Setting, minutes: number, symbol = 'BTCUSDT', price = 500) {
  for (let half = 0; half < 2 * minutes; half += 1) {
    tick(symbol, price + half / 100);
    await timers.advance(minuteMs / 2);
  }
}
export const names = (bars: readonly Candle[]) => bars.map(({ open_time }) => Date.parse(open_time));
export const gaps = (bars: readonly Candle[]) =>
  bars.filter(({ gap }) => gap).map(({ open_time }) => open_time);
export const failing = async () => {
  throw new PriceError('HTTP error! status: 503');
};
