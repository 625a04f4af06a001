/** Whether the user paused automatic refreshing (WCAG 2.2.2); the user's own actions still refetch. */
import { createContext, use } from 'react';

export const RefreshPausedContext = createContext<boolean>(false);
export const useRefreshPaused = (): boolean => use(RefreshPausedContext);
