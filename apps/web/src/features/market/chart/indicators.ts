/**
 * The formulas of the chart's studies, over closing prices oldest first; an entry is null until there is enough
 * history. Sources: SMA and MACD (Appel: EMA 12 − EMA 26, signal EMA 9) as in Murphy, *Technical Analysis of the
 * Financial Markets*; RSI with Wilder's smoothing, *New Concepts in Technical Trading Systems*.
 */
type Series = readonly (number | null)[];

export function sma(closes: readonly number[], period: number): Series {
  let sum = 0;
  return closes.map((close, index) => {
    sum += close - (index >= period ? (closes[index - period] ?? 0) : 0);
    return index >= period - 1 ? sum / period : null;
  });
}

/** Starts with the simple average of the first `period` values; leading nulls are skipped. */
export function ema(values: Series, period: number): Series {
  const weight = 2 / (period + 1);
  let seen = 0;
  let average = 0;
  return values.map((value) => {
    if (value === null) return null;
    seen += 1;
    average = seen <= period ? average + (value - average) / seen : average + weight * (value - average);
    return seen >= period ? average : null;
  });
}

export function rsi(closes: readonly number[], period: number): Series {
  let [gains, losses] = [0, 0];
  return closes.map((close, index) => {
    const before = closes[index - 1];
    if (before === undefined) return null;
    const change = close - before;
    // A plain average while the first period fills, Wilder's smoothing afterwards.
    const share = 1 / Math.min(index, period);
    gains += share * (Math.max(change, 0) - gains);
    losses += share * (Math.max(-change, 0) - losses);
    if (index < period) return null;
    return gains + losses === 0 ? 50 : (100 * gains) / (gains + losses);
  });
}

export interface Macd {
  readonly macd: number | null;
  readonly signal: number | null;
  readonly histogram: number | null;
}

export function macd(
  closes: readonly number[],
  [fast, slow, smoothing]: readonly [number, number, number],
): Macd[] {
  const [quick, calm] = [ema(closes, fast), ema(closes, slow)];
  const line = closes.map((_close, index) => {
    const [a, b] = [quick[index], calm[index]];
    return a === null || b === null || a === undefined || b === undefined ? null : a - b;
  });
  const signals = ema(line, smoothing);
  return line.map((value, index) => {
    const signal = signals[index] ?? null;
    return { macd: value, signal, histogram: value === null || signal === null ? null : value - signal };
  });
}
