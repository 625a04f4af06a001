/**
 * Takes a user's settings into every browser. The screen works on this browser's copy and never waits: the server's copy applies
 * when it arrives, and a change is saved a moment later. Each group of settings is one object; the last write wins.
 *
 * Invariants: a change that was not saved yet is not overwritten by the server's older copy, even after a reload. One user's
 * copy is never shown to the next user of the same browser.
 */
import type { SettingKey } from '@fulcrum/contract';
import type { Json } from '@fulcrum/contract/database';
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

export interface SettingsTransport {
  readonly load: (signal: AbortSignal) => Promise<readonly { readonly key: string; readonly value: Json }[]>;
  readonly save: (key: SettingKey, value: Json) => Promise<unknown>;
  readonly saveOnUnload: (key: SettingKey, value: Json) => void;
}

const stateKey = 'fulcrum-settings';
const saveAfterMs = 800;

interface CopyState {
  /** The user of this browser's copy; null before the first one. */
  readonly owner: string | null;
  readonly unsaved: readonly string[];
}

function readState(): CopyState {
  try {
    const stored: unknown = JSON.parse(getStored(stateKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return { owner: null, unsaved: [] };
    const owner = 'owner' in stored && typeof stored.owner === 'string' ? stored.owner : null;
    const unsaved = 'unsaved' in stored && Array.isArray(stored.unsaved) ? stored.unsaved : [];
    return { owner, unsaved: unsaved.filter((key) => typeof key === 'string') };
  } catch {
    return { owner: null, unsaved: [] };
  }
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
  const unsaved = new Set<string>(isForeign ? [] : before.unsaved);
  const storeUnsaved = () => storeState({ owner: userId, unsaved: [...unsaved] });
  storeUnsaved();

  const textOf = (setting: SyncedSetting) => JSON.stringify(setting.read());
  /** What the server and this browser agree on, by group. */
  const agreed = new Map(settings.map((setting) => [setting.key, textOf(setting)]));
  const timers = new Map<SettingKey, ReturnType<typeof setTimeout>>();
  const stopTimer = ({ key }: SyncedSetting) => {
    clearTimeout(timers.get(key));
    timers.delete(key);
  };

  const save = async (setting: SyncedSetting) => {
    stopTimer(setting);
    const text = textOf(setting);
    try {
      await transport.save(setting.key, setting.read());
    } catch (cause) {
      // It stays unsaved, and goes with the next change or the next load.
      log.warn(`The settings '${setting.key}' could not be saved`, cause);
      return;
    }
    agreed.set(setting.key, text);
    if (textOf(setting) !== text) return;
    unsaved.delete(setting.key);
    storeUnsaved();
  };
  const saveSoon = (setting: SyncedSetting) => {
    unsaved.add(setting.key);
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

  const adopt = (rows: ReadonlyMap<string, Json>) => {
    for (const setting of settings) {
      const stored = rows.get(setting.key);
      if (unsaved.has(setting.key)) saveSoon(setting);
      else if (stored !== undefined) {
        setting.apply(stored);
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
    .then((rows) => adopt(new Map(rows.map(({ key, value }) => [key, value]))))
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
