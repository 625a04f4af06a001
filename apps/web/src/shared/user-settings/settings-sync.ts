/**
 * Takes a user's settings into every browser. The screen works on this browser's copy and never waits: the server's copy applies
 * when it arrives, and a change is saved a moment later. Each group of settings is one object; the last write wins.
 *
 * Invariants: a change that was not saved yet survives a reload, unless another browser saved meanwhile. One user's copy is never
 * shown to the next user of the same browser.
 */
import type { SettingKey } from '@fulcrum/contract';
import type { Json } from '@fulcrum/contract/database';
import { parseJson } from '../json/parse-json.ts';
import { log } from '../log/log.ts';
import { getStored, setStored } from '../storage/index.ts';

/** One group of settings, as its store offers it. */
export interface SyncedSetting {
  readonly key: SettingKey;
  readonly read: () => Json;
  /** What a new user has. */
  readonly initial: Json;
  /** Takes over a stored value; what is invalid or missing becomes the default. */
  readonly apply: (stored: unknown) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A group as the server stores it. */
export interface StoredSetting {
  readonly key: string;
  readonly value: Json;
  readonly updatedAt: string;
}

export interface SettingsTransport {
  readonly load: (signal: AbortSignal) => Promise<readonly StoredSetting[]>;
  /** Resolves with the time of the new row. */
  readonly save: (key: SettingKey, value: Json) => Promise<string>;
  readonly saveOnUnload: (key: SettingKey, value: Json) => void;
}

const stateKey = 'fulcrum-settings';
const saveAfterMs = 800;

type Unsaved = Readonly<Record<string, string | null>>;

interface CopyState {
  /** The user of this browser's copy; null before the first one. */
  readonly owner: string | null;
  /** By group that waits to be saved: the time of the row that it was changed from, null without one. */
  readonly unsaved: Unsaved;
}

function parseUnsaved(stored: unknown): Unsaved {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).map(([key, time]) => [key, typeof time === 'string' ? time : null]),
  );
}

function readState(): CopyState {
  const stored = parseJson(getStored(stateKey));
  if (typeof stored !== 'object' || stored === null) return { owner: null, unsaved: {} };
  const owner = 'owner' in stored && typeof stored.owner === 'string' ? stored.owner : null;
  return { owner, unsaved: parseUnsaved('unsaved' in stored ? stored.unsaved : null) };
}
const storeState = (state: CopyState): void => setStored(stateKey, JSON.stringify(state));

/** Starts for one user; the returned function saves what waits, and stops. */
export function syncSettings(
  userId: string,
  settings: readonly SyncedSetting[],
  transport: SettingsTransport,
): () => void {
  const before = readState();
  const isForeign = before.owner !== null && before.owner !== userId;
  if (isForeign) for (const { apply } of settings) apply(null);
  const unsaved = new Map(isForeign ? [] : Object.entries(before.unsaved));
  const storeUnsaved = () => storeState({ owner: userId, unsaved: Object.fromEntries(unsaved) });
  storeUnsaved();

  const textOf = (setting: SyncedSetting) => JSON.stringify(setting.read());
  /** What the server and this browser agree on, by group. */
  const agreed = new Map(settings.map((setting) => [setting.key, textOf(setting)]));
  /** The time of each group's row. */
  const rowTimes = new Map<SettingKey, string>();
  const timers = new Map<SettingKey, ReturnType<typeof setTimeout>>();
  const stopTimer = ({ key }: SyncedSetting) => {
    clearTimeout(timers.get(key));
    timers.delete(key);
  };

  const save = async (setting: SyncedSetting) => {
    stopTimer(setting);
    const text = textOf(setting);
    try {
      rowTimes.set(setting.key, await transport.save(setting.key, setting.read()));
    } catch (cause) {
      // It stays unsaved, and goes with the next change or the next load.
      log.warn(`The settings '${setting.key}' could not be saved`, cause);
      return;
    }
    agreed.set(setting.key, text);
    // What changed meanwhile has its own timer, and is a change of the row that was just written.
    if (textOf(setting) === text) unsaved.delete(setting.key);
    else unsaved.set(setting.key, rowTimes.get(setting.key) ?? null);
    storeUnsaved();
  };
  const saveSoon = (setting: SyncedSetting) => {
    if (!unsaved.has(setting.key)) unsaved.set(setting.key, rowTimes.get(setting.key) ?? null);
    storeUnsaved();
    stopTimer(setting);
    timers.set(
      setting.key,
      setTimeout(() => void save(setting), saveAfterMs),
    );
  };

  const stops = settings.map((setting) =>
    setting.subscribe(() => {
      if (textOf(setting) !== agreed.get(setting.key) || unsaved.has(setting.key)) saveSoon(setting);
    }),
  );

  /** Whether this browser's change is younger than the stored row. */
  const isOwnNewer = ({ key }: SyncedSetting, stored: StoredSetting | undefined) =>
    timers.has(key) || (unsaved.has(key) && unsaved.get(key) === (stored?.updatedAt ?? null));

  const adopt = (rows: readonly StoredSetting[]) => {
    for (const setting of settings) {
      const stored = rows.find(({ key }) => key === setting.key);
      if (stored) rowTimes.set(setting.key, stored.updatedAt);
      if (isOwnNewer(setting, stored)) saveSoon(setting);
      else if (stored) {
        unsaved.delete(setting.key);
        setting.apply(stored.value);
        agreed.set(setting.key, textOf(setting));
        stopTimer(setting);
        unsaved.delete(setting.key);
        storeUnsaved();
        // What this browser had before the first copy was on the server.
      } else if (before.owner === null && textOf(setting) !== JSON.stringify(setting.initial)) {
        saveSoon(setting);
      }
    }
  };
  const leaving = new AbortController();
  transport
    .load(leaving.signal)
    .then(adopt)
    .catch((cause: unknown) => {
      if (!leaving.signal.aborted) log.warn('The settings could not be read', cause);
    });

  const onHide = () => {
    for (const setting of settings) {
      if (!timers.has(setting.key)) continue;
      stopTimer(setting);
      transport.saveOnUnload(setting.key, setting.read());
    }
  };
  addEventListener('pagehide', onHide);
  return () => {
    leaving.abort();
    removeEventListener('pagehide', onHide);
    for (const stop of stops) stop();
    for (const setting of settings) if (timers.has(setting.key)) void save(setting);
  };
}
