export { type Action, actionGroups, registerActions, registeredActions } from './actions.ts';
export { Keys } from './Keys.tsx';
export { useActions } from './useActions.ts';
