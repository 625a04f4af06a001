/** The list's figures for the header: the page writes them, the header reads them. Null while they are not known. */
import { create } from 'zustand';

interface ConsoleFigures {
  readonly longestSince: string | null;
  readonly closedToday: number | null;
}
export const useConsoleFigures = create<ConsoleFigures>(() => ({ longestSince: null, closedToday: null }));
