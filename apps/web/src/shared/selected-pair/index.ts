/**
 * The selected pair, shared by all screens of this page and stored in this browser for the next visit. It is a symbol only: the
 * screen that shows it checks the catalogue. Tabs may select different pairs; the last selection is the start value of a new
 * tab.
 */
import { create } from 'zustand';
import { getStored, setStored } from '../storage/index.ts';

const key = 'fulcrum-pair';

interface Selected {
  /** Null before the first choice on this browser. */
  readonly symbol: string | null;
}
const useSelected = create<Selected>(() => ({ symbol: getStored(key) }));

export const useSelectedSymbol = (): string | null => useSelected(({ symbol }) => symbol);

export function selectSymbol(symbol: string): void {
  if (useSelected.getState().symbol === symbol) return;
  setStored(key, symbol);
  useSelected.setState({ symbol });
}
