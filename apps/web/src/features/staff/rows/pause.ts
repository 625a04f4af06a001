/** Whether somebody stopped the page from reading by itself (WCAG 2.2.2); what they do themselves is still read. */
import { createContext, use } from 'react';

export const Paused = createContext<boolean>(false);
export const usePaused = (): boolean => use(Paused);
