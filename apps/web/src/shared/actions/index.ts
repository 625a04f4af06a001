export type { Action } from './actions.ts';
export { Keys } from './Keys.tsx';
export { useActions } from './useActions.ts';
