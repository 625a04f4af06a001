/** The chart lines of a pair's price alerts: they move by dragging and are deleted by their ×. */
import { formatFixed, type PairLimits, priceDecimals, toNumber } from '@fulcrum/domain';
import { stepPrice } from '../../shared/decimals/price.ts';
import { snapToGrid } from '../../shared/decimals/snap-to-grid.ts';
import { log } from '../../shared/log/log.ts';
import { formatPrice } from '../../shared/numbers/index.ts';
import { type Alert, getErrorMessage } from '../../shared/supabase/index.ts';
import type { CommandError, LineTarget, MovableLine } from '../market/index.ts';

export interface AlertLineContext {
  readonly symbol: string;
  readonly tickSize: number;
  readonly limits: PairLimits;
  readonly move: (alert: Alert, level: string) => Promise<void>;
  readonly remove: (alert: Alert) => Promise<void>;
}

async function settle(work: Promise<void>, failed: string): Promise<CommandError> {
  try {
    await work;
    return null;
  } catch (cause) {
    log.warn(failed, cause);
    return getErrorMessage(cause, failed);
  }
}

function alertLine(alert: Alert, { tickSize, limits, move, remove }: AlertLineContext): MovableLine {
  const at = (price: number): LineTarget => {
    const snapped = toNumber(snapToGrid(price, limits));
    const priceText = formatPrice(snapped, tickSize);
    return { price: snapped, priceText, parts: [], name: `Alert at ${priceText}`, fault: null };
  };
  const { priceText, name } = at(alert.level);
  return {
    id: alert.id,
    kind: 'alert',
    side: 'LONG',
    head: 'ALERT',
    price: alert.level,
    priceText,
    name,
    parts: () => [],
    movement: {
      at,
      step: (from, ticks) => toNumber(stepPrice(snapToGrid(from, limits), BigInt(ticks), limits)),
      send: (to) =>
        settle(
          move(alert, formatFixed(snapToGrid(to, limits), priceDecimals(limits))),
          'Failed to move the alert',
        ),
    },
    dismissal: {
      kind: 'command',
      name: `Delete the alert at ${priceText}`,
      send: () => settle(remove(alert), 'Failed to delete the alert'),
    },
  };
}

/** Those that wait. */
export const alertLines = (alerts: readonly Alert[], context: AlertLineContext): readonly MovableLine[] =>
  alerts
    .filter(({ kind, state, symbol }) => kind === 'price' && state === 'armed' && symbol === context.symbol)
    .map((alert) => alertLine(alert, context));
