/**
 * A group of settings as a store: this browser's copy, which `syncSettings` takes into every browser of the user. `parse` turns
 * any stored value into a valid one, so an old or damaged copy breaks nothing.
 */
import type { SettingKey } from '@fulcrum/contract';
import type { Json } from '@fulcrum/contract/database';
import { useSyncExternalStore } from 'react';
import { parseJson } from '../json/parse-json.ts';
import { createListeners } from '../listeners/listeners.ts';
import { getStored, setStored } from '../storage/index.ts';
import type { SyncedSetting } from './settings-sync.ts';

export interface StoredSettingStore<Value> {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  readonly use: () => Value;
  readonly setting: SyncedSetting;
}

export function createStoredSetting<Value extends Json & object>(options: {
  readonly key: SettingKey;
  /** The name of this browser's copy. */
  readonly storageKey: string;
  readonly parse: (stored: unknown) => Value;
}): StoredSettingStore<Value> {
  const { key, storageKey, parse } = options;
  let current: Value | undefined;
  const { subscribe, notify } = createListeners();
  const get = () => {
    current ??= parse(parseJson(getStored(storageKey)));
    return current;
  };
  const set = (value: Value) => {
    current = value;
    setStored(storageKey, JSON.stringify(value));
    notify();
  };
  return {
    get,
    set,
    use: () => useSyncExternalStore(subscribe, get),
    setting: { key, read: get, initial: parse(null), apply: (stored) => set(parse(stored)), subscribe },
  };
}
