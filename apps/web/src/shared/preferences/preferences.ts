/**
 * The user's preferences for this browser, in one key of the local storage, shared by its tabs. Stored values are validated on
 * reading; an invalid one counts as the default, so an old or damaged copy breaks nothing. Neither does a full or blocked
 * storage: an order must not fail because of a preference.
 */
import { useSyncExternalStore } from 'react';
import { getStored, setStored } from '../storage/index.ts';

export interface Preferences {
  /** Whether Buy/Long and Sell/Short ask for confirmation. */
  readonly confirmsOrders: boolean;
  /** Whether shortcuts without a modifier are on (WCAG 2.1.4). */
  readonly pageKeys: boolean;
  /** Whether trading keys are on; off by default. */
  readonly tradingKeys: boolean;
  /** The unit in which amounts are typed. */
  readonly amountUnit: AmountUnit;
  /** Whether the positions panel lists the selected pair only. */
  readonly showsPairOnly: boolean;
  /** Whether the trading screen shows the market list beside the chart; by default where there is space. */
  readonly marketList: MarketListChoice;
  /** The height of the positions below the chart, px; null is the default of the screen. */
  readonly positionsHeight: number | null;
  /** The width of the market list beside the chart, px; null is the default of the screen. */
  readonly marketListWidth: number | null;
  /** Whether support gets desktop notifications for messages; the browser must allow them, too. */
  readonly chatNotifications: boolean;
  /** Whether a message also plays a tone. */
  readonly chatSound: boolean;
  /** The same for alerts on prices and positions. */
  readonly alertNotifications: boolean;
  readonly alertSound: boolean;
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
  positionsHeight: null,
  marketListWidth: null,
  chatNotifications: false,
  chatSound: true,
  alertNotifications: false,
  alertSound: false,
};

const key = 'fulcrum-preferences';

const sizeOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;

const booleanOr = (value: unknown, fallback: boolean): boolean =>
  typeof value === 'boolean' ? value : fallback;

/** Parses the stored text; invalid values become the default. */
export function readPreferences(stored: string | null): Preferences {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(stored ?? 'null');
  } catch {
    return defaultPreferences;
  }
  if (typeof parsed !== 'object' || parsed === null) return defaultPreferences;
  const parsedFields: { readonly [name in keyof Preferences]?: unknown } = parsed;
  return {
    confirmsOrders: booleanOr(parsedFields.confirmsOrders, defaultPreferences.confirmsOrders),
    pageKeys: booleanOr(parsedFields.pageKeys, defaultPreferences.pageKeys),
    tradingKeys: booleanOr(parsedFields.tradingKeys, defaultPreferences.tradingKeys),
    amountUnit: amountUnits.find((unit) => unit === parsedFields.amountUnit) ?? defaultPreferences.amountUnit,
    showsPairOnly: booleanOr(parsedFields.showsPairOnly, defaultPreferences.showsPairOnly),
    marketList:
      marketListChoices.find((choice) => choice === parsedFields.marketList) ?? defaultPreferences.marketList,
    positionsHeight: sizeOrNull(parsedFields.positionsHeight),
    marketListWidth: sizeOrNull(parsedFields.marketListWidth),
    chatNotifications: booleanOr(parsedFields.chatNotifications, defaultPreferences.chatNotifications),
    chatSound: booleanOr(parsedFields.chatSound, defaultPreferences.chatSound),
    alertNotifications: booleanOr(parsedFields.alertNotifications, defaultPreferences.alertNotifications),
    alertSound: booleanOr(parsedFields.alertSound, defaultPreferences.alertSound),
  };
}

let current: Preferences | undefined;
const listeners = new Set<() => void>();

/** The current preferences. */
export function getPreferences(): Preferences {
  current ??= readPreferences(getStored(key));
  return current;
}

const notifyListeners = () => {
  for (const listener of listeners) listener();
};

const onStorage = (event: StorageEvent) => {
  if (event.key !== key && event.key !== null) return;
  current = undefined;
  notifyListeners();
};

let isListening = false;
function subscribe(listener: () => void): () => void {
  // Listens for the life of the page: a change in another tab must not be missed while no component subscribes.
  if (!isListening) addEventListener('storage', onStorage);
  isListening = true;
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Changes one preference, in this tab and the others; without storage it applies to this page. */
export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  current = { ...getPreferences(), [name]: value };
  setStored(key, JSON.stringify(current));
  notifyListeners();
}

/** Returns one preference and renders again when it changes. */
export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSyncExternalStore(subscribe, () => getPreferences()[name]);
