/**
 * Signals from outside the platform: what may become of one, bounds, and the messages that users paste into the alerts of their
 * charting service. The messages state the time, so that two alerts are never the same body.
 */
import { hasInvisible, type Objection } from './validation.ts';

export const signalOutcomes = ['pending', 'done', 'refused', 'too_late', 'unreadable'] as const;
export type SignalOutcome = (typeof signalOutcomes)[number];

/** Bytes of a body. TradingView sends a few hundred. */
export const signalBodyMax = 8192;
/** Addresses of an account that are not revoked. */
export const signalHooksMax = 3;
export const signalHookNameMax = 40;

export const normaliseHookName = (name: string): string => name.trim().normalize('NFC');

/** Null, or the text to show. */
export function checkHookName(name: string): Objection {
  const normal = normaliseHookName(name);
  if (normal === '') return 'Give the address a name.';
  if ([...normal].length > signalHookNameMax) return `A name has at most ${signalHookNameMax} characters.`;
  return hasInvisible(normal) ? 'The name must not contain invisible characters.' : null;
}

const asMessage = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify(fields, null, 2);

/** To paste: TradingView replaces what is in braces. */
export const alertMessages = {
  /** Of an alert on a strategy. */
  strategy: asMessage({
    ticker: '{{ticker}}',
    action: '{{strategy.order.action}}',
    contracts: '{{strategy.order.contracts}}',
    market_position: '{{strategy.market_position}}',
    market_position_size: '{{strategy.market_position_size}}',
    price: '{{close}}',
    time: '{{timenow}}',
  }),
  /** Of an alert on an indicator, and of other senders. */
  common: asMessage({
    ticker: '{{ticker}}',
    action: 'buy',
    quantity: 0.01,
    time: '{{timenow}}',
  }),
} as const;

/** The same, as they arrive. */
export const signalExamples = {
  strategy: asMessage({
    ticker: 'BTCUSDT',
    action: 'buy',
    contracts: '0.01',
    market_position: 'long',
    market_position_size: '0.01',
    price: '50000',
    time: '2026-11-28T09:30:00Z',
  }),
  common: asMessage({
    ticker: 'BTCUSDT',
    action: 'buy',
    quantity: 0.01,
    leverage: 5,
    orderType: 'market',
  }),
} as const;
