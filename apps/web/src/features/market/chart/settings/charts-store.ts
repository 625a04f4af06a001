/**
 * The store of the charts' settings: one local storage key, shared by this browser's tabs. Undo reverts changes to a
 * pair's drawings and lasts as long as the page.
 *
 * Invariant: a full or blocked storage never changes what is on the screen. The settings are then not stored, which
 * is logged once.
 */
import { useSyncExternalStore } from 'react';
import { createListeners } from '../../../../shared/listeners/listeners.ts';
import { log } from '../../../../shared/log/log.ts';
import { type Drawing, limitDrawings } from '../tools/drawing.ts';
import {
  type ChartProvider,
  type ChartSettings,
  defaultSettings,
  parseCharts,
  type StoredCharts,
  serializeCharts,
  storedCharsMax,
  withoutOlderHalf,
  withPair,
} from './chart-settings.ts';

export const chartsKey = 'fulcrum-chart';
const undosMax = 50;

let current: StoredCharts | undefined;
let isStored = true;
const undos = new Map<string, readonly (readonly Drawing[])[]>();
const listeners = createListeners();

function readStorage(): string | null {
  try {
    return localStorage.getItem(chartsKey);
  } catch (cause) {
    log.warn('The stored chart settings could not be read', cause);
    return null;
  }
}

function getCharts(): StoredCharts {
  current ??= parseCharts(readStorage());
  return current;
}

/** Writes what fits: the pairs changed longest ago are dropped from storage. The page still has all of them. */
function writeStorage(all: StoredCharts): void {
  let fitting = all;
  for (;;) {
    const text = serializeCharts(fitting);
    try {
      if (text.length > storedCharsMax && fitting.pairs.size > 1) throw new Error('too long');
      localStorage.setItem(chartsKey, text);
      isStored = true;
      return;
    } catch (cause) {
      if (fitting.pairs.size > 1) {
        fitting = withoutOlderHalf(fitting);
        continue;
      }
      if (isStored) log.warn('The chart settings could not be stored', cause);
      isStored = false;
      return;
    }
  }
}

function replace(next: StoredCharts): void {
  current = next;
  writeStorage(next);
  listeners.notify();
}

const onStorage = (event: StorageEvent) => {
  if (event.key !== chartsKey && event.key !== null) return;
  current = undefined;
  // Undo does not revert what another tab has drawn.
  undos.clear();
  listeners.notify();
};

let isFollowing = false;
function subscribe(listener: () => void): () => void {
  // The listener stays for the life of the page. Otherwise the next change would overwrite what another tab drew
  // while no chart was mounted.
  if (!isFollowing) addEventListener('storage', onStorage);
  isFollowing = true;
  return listeners.subscribe(listener);
}

export const getChartSettings = (symbol: string): ChartSettings =>
  getCharts().pairs.get(symbol) ?? defaultSettings;

export function changeChart(symbol: string, change: Partial<Omit<ChartSettings, 'drawings'>>): void {
  replace(withPair(getCharts(), symbol, { ...getChartSettings(symbol), ...change }));
}

/** Resets everything except the timeframe and the drawings. */
export function resetChart(symbol: string): void {
  const { timeframe, drawings } = getChartSettings(symbol);
  replace(withPair(getCharts(), symbol, { ...defaultSettings, timeframe, drawings }));
}

/** Applies one drawing step, which undo can revert. */
export function changeDrawings(
  symbol: string,
  change: (drawings: readonly Drawing[]) => readonly Drawing[],
): void {
  const settings = getChartSettings(symbol);
  const drawings = limitDrawings(change(settings.drawings));
  if (drawings === settings.drawings) return;
  undos.set(symbol, [...(undos.get(symbol) ?? []), settings.drawings].slice(-undosMax));
  replace(withPair(getCharts(), symbol, { ...settings, drawings }));
}

export function undoDrawing(symbol: string): void {
  const steps = undos.get(symbol) ?? [];
  const drawings = steps.at(-1);
  if (!drawings) return;
  undos.set(symbol, steps.slice(0, -1));
  replace(withPair(getCharts(), symbol, { ...getChartSettings(symbol), drawings }));
}

export const chooseProvider = (provider: ChartProvider): void => replace({ ...getCharts(), provider });

/** Clears the page's copy, so that the next read comes from storage; for tests. */
export function clearChartsCache(): void {
  current = undefined;
  isStored = true;
  undos.clear();
  listeners.notify();
}

export const useChartSettings = (symbol: string): ChartSettings =>
  useSyncExternalStore(subscribe, () => getChartSettings(symbol));
export const useCanUndo = (symbol: string): boolean =>
  useSyncExternalStore(subscribe, () => (undos.get(symbol)?.length ?? 0) > 0);
export const useChosenProvider = (): ChartProvider | null =>
  useSyncExternalStore(subscribe, () => getCharts().provider);
