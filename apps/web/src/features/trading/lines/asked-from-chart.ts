/**
 * Questions that a line's × raises and the panel beneath the chart asks, because it has the dialogs: whether to close a
 * position, whether to cancel an order. Whoever shows the dialogs listens while mounted; without a listener nothing happens.
 */
import { useEffect } from 'react';
import type { Order, Position } from '../../../shared/supabase/index.ts';

interface Listener {
  readonly onClose: (position: Position) => void;
  readonly onCancel: (order: Order) => void;
}

const listeners = new Set<Listener>();

export function askToClose(position: Position): void {
  for (const { onClose } of listeners) onClose(position);
}

export function askToCancel(order: Order): void {
  for (const { onCancel } of listeners) onCancel(order);
}

/** Both have to be stable. */
export function useAskedFromChart(onClose: Listener['onClose'], onCancel: Listener['onCancel']): void {
  useEffect(() => {
    const listener = { onClose, onCancel };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [onClose, onCancel]);
}
