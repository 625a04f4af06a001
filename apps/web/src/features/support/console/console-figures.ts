/** What the header shows of the list beneath it: the page writes it, the header reads it. Null while it is not known. */
import { create } from 'zustand';

interface ConsoleFigures {
  readonly longestSince: string | null;
  readonly closedToday: number | null;
}
export const useConsoleFigures = create<ConsoleFigures>(() => ({ longestSince: null, closedToday: null }));
