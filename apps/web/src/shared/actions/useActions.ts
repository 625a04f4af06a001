/** Registers actions while the component is mounted; the actions may change with every render. */
import { useEffect, useLayoutEffect, useRef } from 'react';
import { type Action, registerActions } from './actions.ts';

export function useActions(actions: readonly Action[]): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  useEffect(() => registerActions(() => latest.current), []);
}
