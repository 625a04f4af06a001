/** What an alert waits for and how it stands, in words. */
import { alertWindows } from '@fulcrum/domain';
import { formatFigure, formatPrice } from '../../shared/numbers/index.ts';
import type { Alert } from '../../shared/supabase/index.ts';

export const formatWindow = (minutes: number): string =>
  minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : `${minutes / 60} hours`;
export const windows = alertWindows.map((minutes) => ({ minutes, text: formatWindow(minutes) }));

const percentDecimals = 2;
const percent = (level: number): string => `${formatFigure(level, percentDecimals)}%`;

type Waiting = Pick<Alert, 'kind' | 'level' | 'direction' | 'windowMinutes' | 'positionId'>;

/** `Price rises to 64,000.00`. */
export function describeAlert({ kind, level, direction, windowMinutes }: Waiting, tickSize: number): string {
  switch (kind) {
    case 'price':
      return `Price ${direction} to ${formatPrice(level, tickSize)}`;
    case 'change':
      return `Price ${direction} by ${percent(level)} in ${formatWindow(windowMinutes ?? 0)}`;
    case 'roe':
      return `ROE ${direction} to ${percent(level)}`;
    case 'liquidation':
      return `Within ${percent(level)} of liquidation`;
  }
}

/** How often it fired, for one that did not fire since it was set: `3 times, before it was set again`. */
export function describeEarlierFirings(crossings: number): string {
  if (crossings === 0) return 'Not yet';
  return `${crossings === 1 ? 'Once' : `${crossings} times`}, before it was set again`;
}

export const stateNames: Readonly<Record<Alert['state'], string>> = {
  armed: 'Waiting',
  paused: 'Paused',
  fired: 'Fired',
  ended: 'Position closed',
};
