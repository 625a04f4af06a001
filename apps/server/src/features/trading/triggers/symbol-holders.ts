/** Who holds one symbol, in columns: each holder has a seat, and the last one takes the seat of one who leaves. */
import { grown } from './typed-arrays.ts';

export class Holders {
  readonly symbol: string;
  /** The last price that could trade, in units; NaN before the first. */
  last: number;
  length = 0;
  entrant = new Int32Array(4);
  /** Units of equity for each unit of the price. */
  delta = new Float64Array(4);
  /** The price at the entrant's peak. */
  peakAt = new Float64Array(4);

  constructor(symbol: string, last: number) {
    this.symbol = symbol;
    this.last = last;
  }

  add(entrant: number, delta: number): number {
    const at = this.length;
    if (at === this.entrant.length) {
      this.entrant = grown(this.entrant, Int32Array, 2 * at);
      this.delta = grown(this.delta, Float64Array, 2 * at);
      this.peakAt = grown(this.peakAt, Float64Array, 2 * at);
    }
    this.entrant[at] = entrant;
    this.delta[at] = delta;
    this.peakAt[at] = this.last;
    this.length += 1;
    return at;
  }

  /** The last one takes the seat; returns who that is. */
  remove(at: number): number | null {
    this.length -= 1;
    const moved = this.length;
    if (moved === at) return null;
    this.entrant[at] = this.entrant[moved] ?? 0;
    this.delta[at] = this.delta[moved] ?? 0;
    this.peakAt[at] = this.peakAt[moved] ?? 0;
    return this.entrant[at] ?? null;
  }
}
