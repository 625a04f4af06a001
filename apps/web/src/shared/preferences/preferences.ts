/**
 * The user's preferences for this browser, in one key of the local storage, shared by its tabs. Stored values are validated on
 * reading; an invalid one counts as the default, so an old or damaged copy breaks nothing. Neither does a full or blocked
 * storage: an order must not fail because of a preference. Those of the layout follow the user (`shared/user-settings`).
 */
import { useSyncExternalStore } from 'react';
import { parseJson } from '../json/parse-json.ts';
import { createListeners } from '../listeners/listeners.ts';
import { getStored, setStored } from '../storage/index.ts';
import { type OwnKeys, readOwnKeys } from './own-keys.ts';

export interface Preferences {
  /** Whether Buy/Long and Sell/Short ask for confirmation. */
  readonly confirmsOrders: boolean;
  /** Whether shortcuts without a modifier are on (WCAG 2.1.4). */
  readonly pageKeys: boolean;
  /** Whether trading keys are on; off by default. */
  readonly tradingKeys: boolean;
  /** The keys of trading actions that the user changed. */
  readonly ownKeys: OwnKeys;
  /** How many orders were placed from this browser, as far as a hint depends on it. */
  readonly placedOrders: number;
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
  /** The columns of the market list beside symbol and price, when it has the width for them. */
  readonly marketColumns: readonly MarketColumn[];
  /** The order of the market list; null is the catalogue's. */
  readonly marketSort: MarketSort | null;
  /** The symbol of the second chart on a large screen; null shows one chart. */
  readonly secondChart: string | null;
  /** Whether support gets desktop notifications for messages; the browser must allow them, too. */
  readonly chatNotifications: boolean;
  /** Whether a message also plays a tone. */
  readonly chatSound: boolean;
  /** The same for alerts, fills and closes. */
  readonly alertNotifications: boolean;
  readonly alertSound: boolean;
}

const marketListChoices = ['auto', 'shown', 'hidden'] as const;
export type MarketListChoice = (typeof marketListChoices)[number];

export const marketColumns = ['sparkline', 'change', 'volume'] as const;
export type MarketColumn = (typeof marketColumns)[number];
const marketSortColumns = ['symbol', 'price', 'change', 'volume'] as const;
export type MarketSortColumn = (typeof marketSortColumns)[number];
export type MarketSort = { readonly by: MarketSortColumn; readonly descending: boolean };

/** In the base asset, in USDT of order value, in per cent of what is available, or in per cent of it that the stop may cost. */
export const amountUnits = ['base', 'quote', 'percent', 'risk'] as const;
export type AmountUnit = (typeof amountUnits)[number];

export const defaultPreferences: Preferences = {
  confirmsOrders: true,
  pageKeys: true,
  tradingKeys: false,
  ownKeys: {},
  placedOrders: 0,
  amountUnit: 'base',
  showsPairOnly: false,
  marketList: 'auto',
  positionsHeight: null,
  marketListWidth: null,
  marketColumns: ['sparkline', 'change'],
  marketSort: null,
  secondChart: null,
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

const symbolMax = 32;
const symbolOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= symbolMax ? value : null;

function readMarketColumns(value: unknown): readonly MarketColumn[] {
  if (!Array.isArray(value)) return defaultPreferences.marketColumns;
  return marketColumns.filter((column) => value.includes(column));
}

function readMarketSort(value: unknown): MarketSort | null {
  if (typeof value !== 'object' || value === null || !('by' in value)) return null;
  const by = marketSortColumns.find((column) => column === value.by);
  return by === undefined ? null : { by, descending: 'descending' in value && value.descending === true };
}

/** Parses the stored text; invalid values become the default. */
export const readPreferences = (stored: string | null): Preferences => parsePreferences(parseJson(stored));

function parsePreferences(parsed: unknown): Preferences {
  if (typeof parsed !== 'object' || parsed === null) return defaultPreferences;
  const parsedFields: { readonly [name in keyof Preferences]?: unknown } = parsed;
  return {
    confirmsOrders: booleanOr(parsedFields.confirmsOrders, defaultPreferences.confirmsOrders),
    pageKeys: booleanOr(parsedFields.pageKeys, defaultPreferences.pageKeys),
    tradingKeys: booleanOr(parsedFields.tradingKeys, defaultPreferences.tradingKeys),
    ownKeys: readOwnKeys(parsedFields.ownKeys),
    placedOrders: sizeOrNull(parsedFields.placedOrders) ?? defaultPreferences.placedOrders,
    amountUnit: amountUnits.find((unit) => unit === parsedFields.amountUnit) ?? defaultPreferences.amountUnit,
    showsPairOnly: booleanOr(parsedFields.showsPairOnly, defaultPreferences.showsPairOnly),
    marketList:
      marketListChoices.find((choice) => choice === parsedFields.marketList) ?? defaultPreferences.marketList,
    positionsHeight: sizeOrNull(parsedFields.positionsHeight),
    marketListWidth: sizeOrNull(parsedFields.marketListWidth),
    marketColumns: readMarketColumns(parsedFields.marketColumns),
    marketSort: readMarketSort(parsedFields.marketSort),
    secondChart: symbolOrNull(parsedFields.secondChart),
    chatNotifications: booleanOr(parsedFields.chatNotifications, defaultPreferences.chatNotifications),
    chatSound: booleanOr(parsedFields.chatSound, defaultPreferences.chatSound),
    alertNotifications: booleanOr(parsedFields.alertNotifications, defaultPreferences.alertNotifications),
    alertSound: booleanOr(parsedFields.alertSound, defaultPreferences.alertSound),
  };
}

let current: Preferences | undefined;
const { subscribe, notify } = createListeners();

/** The current preferences. */
export function getPreferences(): Preferences {
  current ??= readPreferences(getStored(key));
  return current;
}

const onStorage = (event: StorageEvent) => {
  if (event.key !== key && event.key !== null) return;
  current = undefined;
  notify();
};

let isListening = false;
/** Calls `listener` after each change, of this tab or another. */
export function subscribeToPreferences(listener: () => void): () => void {
  // Listens for the life of the page: a change in another tab must not be missed while no component subscribes.
  if (!isListening) addEventListener('storage', onStorage);
  isListening = true;
  return subscribe(listener);
}

/** Changes one preference, in this tab and the others; without storage it applies to this page. */
export const setPreference = <Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void =>
  changePreferences({ [name]: value });

function changePreferences(change: Partial<Preferences>): void {
  current = { ...getPreferences(), ...change };
  setStored(key, JSON.stringify(current));
  notify();
}

/** Returns one preference and renders again when it changes. */
export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSyncExternalStore(subscribeToPreferences, () => getPreferences()[name]);

/** The preferences of the trading screen's layout. */
const toLayout = (preferences: Preferences) => {
  const { showsPairOnly, marketList, positionsHeight, marketListWidth } = preferences;
  const { marketColumns: columns, marketSort, secondChart } = preferences;
  return {
    showsPairOnly,
    marketList,
    positionsHeight,
    marketListWidth,
    marketColumns: [...columns],
    marketSort,
    secondChart,
  };
};

export const defaultLayout = toLayout(defaultPreferences);
export const getLayout = () => toLayout(getPreferences());
/** Takes over a stored layout; what it lacks, and what is invalid, becomes the default. */
export const applyLayout = (stored: unknown): void => changePreferences(toLayout(parsePreferences(stored)));
