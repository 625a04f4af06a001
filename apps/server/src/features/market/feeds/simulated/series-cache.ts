/**
 * Finished bars in memory, by series: a symbol's days, or its bars of a timeframe. Invariant: never more than the bound;
 * the least recently read series is dropped first, as a whole.
 */
interface SeriesCache<Value> {
  /** The values of a series by the names of their bars; to be read before anything is added. */
  get(series: string): ReadonlyMap<number, Value>;
  set(series: string, name: number, value: Value): void;
  forget(series: string): void;
  forgetWhere(isForgotten: (series: string) => boolean): void;
}

export function createSeriesCache<Value>(valuesMax: number): SeriesCache<Value> {
  const all = new Map<string, Map<number, Value>>();
  const none: ReadonlyMap<number, Value> = new Map();
  let latest = '';
  let values = 0;

  function forget(series: string): void {
    values -= all.get(series)?.size ?? 0;
    all.delete(series);
  }

  return {
    get(series) {
      const found = all.get(series);
      if (!found) return none;
      if (series !== latest) {
        all.delete(series);
        all.set(series, found);
        latest = series;
      }
      return found;
    },
    set(series, name, value) {
      const found = all.get(series) ?? new Map<number, Value>();
      all.set(series, found);
      values += found.has(name) ? 0 : 1;
      found.set(name, value);
      while (values > valuesMax) {
        const oldest = all.keys().next();
        if (oldest.done) return;
        forget(oldest.value);
      }
    },
    forget,
    forgetWhere(isForgotten) {
      for (const series of [...all.keys()]) if (isForgotten(series)) forget(series);
    },
  };
}
