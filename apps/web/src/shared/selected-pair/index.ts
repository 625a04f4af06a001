/**
 * The pair that a trader looks at, the same on every screen of this page and kept in this browser for the next visit. It
 * is a symbol and nothing more: whether the catalogue has it is for whoever shows it to find out. Two tabs may look at
 * different pairs; the one that chose last decides what a new tab begins with.
 */
import { create } from 'zustand';
import { keep, kept } from '../storage/index.ts';

const key = 'fulcrum-pair';

interface Selected {
  /** Null before the first choice on this browser. */
  readonly symbol: string | null;
}
const useSelected = create<Selected>(() => ({ symbol: kept(key) }));

export const useSelectedSymbol = (): string | null => useSelected(({ symbol }) => symbol);

export function selectSymbol(symbol: string): void {
  if (useSelected.getState().symbol === symbol) return;
  keep(key, symbol);
  useSelected.setState({ symbol });
}
