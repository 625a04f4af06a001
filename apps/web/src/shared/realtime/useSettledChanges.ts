/** Calls `onSettled` once after a burst of changes, and after each join. It, and `isRelevant`, must be stable. */
import { useEffect, useMemo } from 'react';
import { type TableChange, type TableChangeListener, useTableChanges } from './table-changes.tsx';

const settleMs = 300;

export function useSettledChanges(
  onSettled: () => void,
  isRelevant?: (change: TableChange) => boolean,
): void {
  const { listener, stop } = useMemo(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      clearTimeout(waiting);
      waiting = setTimeout(onSettled, settleMs);
    };
    const changes: TableChangeListener = {
      onChange: (change) => (isRelevant?.(change) ?? true) && schedule(),
      onJoined: schedule,
    };
    return { listener: changes, stop: () => clearTimeout(waiting) };
  }, [onSettled, isRelevant]);
  useTableChanges(listener);
  useEffect(() => stop, [stop]);
}
