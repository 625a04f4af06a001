/**
 * Passes a click on a line's × to the panel beneath the chart, which has the dialogs for closing a position and
 * canceling an order. The component with the dialogs listens while mounted; without a listener nothing happens.
 */
import { useEffect } from 'react';
import type { Order, Position } from '../../../shared/supabase/index.ts';

interface Listener {
  readonly onClose: (position: Position) => void;
  readonly onCancel: (order: Order) => void;
}

const listeners = new Set<Listener>();

export function requestCloseFromChart(position: Position): void {
  for (const { onClose } of listeners) onClose(position);
}

export function requestCancelFromChart(order: Order): void {
  for (const { onCancel } of listeners) onCancel(order);
}

/** Both listeners must be stable. */
export function useChartRequests(onClose: Listener['onClose'], onCancel: Listener['onCancel']): void {
  useEffect(() => {
    const listener = { onClose, onCancel };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [onClose, onCancel]);
}
