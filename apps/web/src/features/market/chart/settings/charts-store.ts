/**
 * The charts' settings as the page uses them: kept in local storage under one key, shared by this browser's tabs. Undo goes
 * back over changes to a pair's drawings and lives as long as the page. Invariant: what is on the screen is never lost to a
 * full or blocked storage; it is only not kept, and that is logged once.
 */
import { useSyncExternalStore } from 'react';
import { log } from '../../../../shared/log/log.ts';
import { type Drawing, keptDrawings } from '../tools/drawing.ts';
import {
  type ChartProvider,
  type ChartSettings,
  defaultSettings,
  halved,
  type KeptCharts,
  mostText,
  readCharts,
  withPair,
  writeCharts,
} from './chart-settings.ts';

export const chartsKey = 'fulcrum-chart';
const mostUndos = 50;

let current: KeptCharts | undefined;
let isKept = true;
const undos = new Map<string, readonly (readonly Drawing[])[]>();
const listeners = new Set<() => void>();

function stored(): string | null {
  try {
    return localStorage.getItem(chartsKey);
  } catch (cause) {
    log.warn('The charts kept in this browser could not be read', cause);
    return null;
  }
}

function charts(): KeptCharts {
  current ??= readCharts(stored());
  return current;
}

const announce = () => {
  for (const listener of listeners) listener();
};

/** Writes what fits: the pairs changed longest ago make room. The page itself goes on with all of them. */
function keep(all: KeptCharts): void {
  let kept = all;
  for (;;) {
    const text = writeCharts(kept);
    try {
      if (text.length > mostText && kept.pairs.size > 1) throw new Error('too long');
      localStorage.setItem(chartsKey, text);
      isKept = true;
      return;
    } catch (cause) {
      if (kept.pairs.size > 1) {
        kept = halved(kept);
        continue;
      }
      if (isKept) log.warn('The charts could not be kept in this browser', cause);
      isKept = false;
      return;
    }
  }
}

function replace(next: KeptCharts): void {
  current = next;
  keep(next);
  announce();
}

const onStorage = (event: StorageEvent) => {
  if (event.key !== chartsKey && event.key !== null) return;
  current = undefined;
  // What another tab has drawn is not this one's to take back.
  undos.clear();
  announce();
};

let isFollowing = false;
function subscribe(listener: () => void): () => void {
  // For the life of the page: what another tab drew while no chart was here would be written over by the next change.
  if (!isFollowing) addEventListener('storage', onStorage);
  isFollowing = true;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const chartSettings = (symbol: string): ChartSettings => charts().pairs.get(symbol) ?? defaultSettings;

export function changeChart(symbol: string, change: Partial<Omit<ChartSettings, 'drawings'>>): void {
  replace(withPair(charts(), symbol, { ...chartSettings(symbol), ...change }));
}

/** Everything but the timeframe and the drawings as it was at first. */
export function resetChart(symbol: string): void {
  const { timeframe, drawings } = chartSettings(symbol);
  replace(withPair(charts(), symbol, { ...defaultSettings, timeframe, drawings }));
}

/** One step of drawing, which undo can take back. */
export function changeDrawings(
  symbol: string,
  change: (drawings: readonly Drawing[]) => readonly Drawing[],
): void {
  const settings = chartSettings(symbol);
  const drawings = keptDrawings(change(settings.drawings));
  if (drawings === settings.drawings) return;
  undos.set(symbol, [...(undos.get(symbol) ?? []), settings.drawings].slice(-mostUndos));
  replace(withPair(charts(), symbol, { ...settings, drawings }));
}

export function undoDrawing(symbol: string): void {
  const steps = undos.get(symbol) ?? [];
  const drawings = steps.at(-1);
  if (!drawings) return;
  undos.set(symbol, steps.slice(0, -1));
  replace(withPair(charts(), symbol, { ...chartSettings(symbol), drawings }));
}

export const chooseProvider = (provider: ChartProvider): void => replace({ ...charts(), provider });

/** Forgets what the page holds, so that the next reader sees what is stored; for tests. */
export function forgetCharts(): void {
  current = undefined;
  isKept = true;
  undos.clear();
  announce();
}

export const useChartSettings = (symbol: string): ChartSettings =>
  useSyncExternalStore(subscribe, () => chartSettings(symbol));
export const useCanUndo = (symbol: string): boolean =>
  useSyncExternalStore(subscribe, () => (undos.get(symbol)?.length ?? 0) > 0);
export const useChosenProvider = (): ChartProvider | null =>
  useSyncExternalStore(subscribe, () => charts().provider);
