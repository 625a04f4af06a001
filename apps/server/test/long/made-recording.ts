/** Generated recordings in the form of the replay feed: prices that swing as far and as fast as a test needs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minuteMs } from '@fulcrum/domain';

export interface Swing {
  readonly symbol: string;
  readonly price: number;
  /** How far it swings to either side, as a share of the price. */
  readonly share: number;
  /** Recorded minutes of one swing there and back. */
  readonly minutes: number;
  /** Base units that a minute trades; default 1. */
  readonly volume?: number;
}

const firstMinute = Date.UTC(2026, 0, 5);
const decimals = 2;

/** Writes one file of `minutes` candles from 00:00 UTC on. */
export function recordSwings(folder: string, swings: readonly Swing[], minutes: number): void {
  const lines = ['symbol,open_time,open,high,low,close,volume'];
  for (const { symbol, price, share, minutes: period, volume = 1 } of swings) {
    const at = (minute: number): number => price * (1 + share * Math.sin((2 * Math.PI * minute) / period));
    for (let minute = 0; minute < minutes; minute += 1) {
      const [open, close] = [at(minute), at(minute + 1)];
      const high = Math.max(open, close) * 1.0002;
      const low = Math.min(open, close) * 0.9998;
      const prices = [open, high, low, close].map((figure) => figure.toFixed(decimals));
      lines.push(`${symbol},${firstMinute + minute * minuteMs},${prices.join()},${volume}`);
    }
  }
  writeFileSync(join(folder, 'swings.csv'), `${lines.join('\n')}\n`);
}
