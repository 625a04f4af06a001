/**
 * How a person wants this browser to behave: kept in local storage, one key for all of it, shared by its tabs. Whatever is
 * stored is checked when it is read; what does not fit counts as the default, so an old or damaged copy breaks nothing. A
 * storage that is full or blocked breaks nothing either: an order must not fail over a preference.
 */
import { useSyncExternalStore } from 'react';
import { keep, kept } from '../storage/index.ts';

export interface Preferences {
  /** Whether a click on Buy/Long or Sell/Short asks first. */
  readonly confirmsOrders: boolean;
  /** Whether keys without a modifier act at all (WCAG 2.1.4). */
  readonly pageKeys: boolean;
  /** Whether trading keys act; off until somebody switches them on. */
  readonly tradingKeys: boolean;
  /** What an amount is typed in. */
  readonly amountUnit: AmountUnit;
  /** Whether the positions panel lists the selected pair alone. */
  readonly showsPairOnly: boolean;
  /** Whether the market list stands beside the trading screen's chart; left to itself, where there is room to spare. */
  readonly marketList: MarketListChoice;
  /** Whether support is told of a message by a notification of the desktop; the browser has to allow it too. */
  readonly chatNotifications: boolean;
  /** Whether support hears a tone then. */
  readonly chatSound: boolean;
}

const marketListChoices = ['auto', 'shown', 'hidden'] as const;
export type MarketListChoice = (typeof marketListChoices)[number];

/** In the base asset, in USDT of order value, or in per cent of what is available. */
export const amountUnits = ['base', 'quote', 'percent'] as const;
export type AmountUnit = (typeof amountUnits)[number];

export const defaultPreferences: Preferences = {
  confirmsOrders: true,
  pageKeys: true,
  tradingKeys: false,
  amountUnit: 'base',
  showsPairOnly: false,
  marketList: 'auto',
  chatNotifications: false,
  chatSound: true,
};

const key = 'fulcrum-preferences';

const flag = (value: unknown, fallback: boolean): boolean => (typeof value === 'boolean' ? value : fallback);

/** What a stored text says; anything unreadable is the default. */
export function readPreferences(stored: string | null): Preferences {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(stored ?? 'null');
  } catch {
    return defaultPreferences;
  }
  if (typeof parsed !== 'object' || parsed === null) return defaultPreferences;
  const held: { readonly [name in keyof Preferences]?: unknown } = parsed;
  return {
    confirmsOrders: flag(held.confirmsOrders, defaultPreferences.confirmsOrders),
    pageKeys: flag(held.pageKeys, defaultPreferences.pageKeys),
    tradingKeys: flag(held.tradingKeys, defaultPreferences.tradingKeys),
    amountUnit: amountUnits.find((unit) => unit === held.amountUnit) ?? defaultPreferences.amountUnit,
    showsPairOnly: flag(held.showsPairOnly, defaultPreferences.showsPairOnly),
    marketList:
      marketListChoices.find((choice) => choice === held.marketList) ?? defaultPreferences.marketList,
    chatNotifications: flag(held.chatNotifications, defaultPreferences.chatNotifications),
    chatSound: flag(held.chatSound, defaultPreferences.chatSound),
  };
}

let current: Preferences | undefined;
const listeners = new Set<() => void>();

/** The preferences as they are now. */
export function preferences(): Preferences {
  current ??= readPreferences(kept(key));
  return current;
}

const announce = () => {
  for (const listener of listeners) listener();
};

const onStorage = (event: StorageEvent) => {
  if (event.key !== key && event.key !== null) return;
  current = undefined;
  announce();
};

let isFollowing = false;
function subscribe(listener: () => void): () => void {
  // For the life of the page: a change made elsewhere while nothing here shows one must not be missed.
  if (!isFollowing) addEventListener('storage', onStorage);
  isFollowing = true;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Changes one of them, here and in the other tabs; where nothing can be kept it holds for this page. */
export function prefer<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...preferences(), [name]: value };
  keep(key, JSON.stringify(current));
  announce();
}

/** Renders again when this one changes. */
export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSyncExternalStore(subscribe, () => preferences()[name]);
