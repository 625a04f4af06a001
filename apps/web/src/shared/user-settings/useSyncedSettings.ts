/** Synchronises groups of settings with the server while the component is shown. An impersonation reads and writes none. */
import { useEffect } from 'react';
import { applyLayout, defaultLayout, getLayout, subscribeToPreferences } from '../preferences/index.ts';
import { useSignedIn } from '../session/index.ts';
import { type Supabase, unwrap } from '../supabase/index.ts';
import { sendOnUnload } from '../supabase/send-on-unload.ts';
import { type SettingsTransport, type SyncedSetting, syncSettings } from './settings-sync.ts';

/** The trading screen's layout, a part of this browser's preferences. */
export const layoutSetting: SyncedSetting = {
  key: 'layout',
  read: getLayout,
  initial: defaultLayout,
  apply: applyLayout,
  subscribe: subscribeToPreferences,
};

const conflict = { onConflict: 'user_id,key' };

const createTransport = (supabase: Supabase, userId: string): SettingsTransport => ({
  load: async (signal) => {
    const request = supabase.rest.from('user_settings').select('key,value,updated_at').eq('user_id', userId);
    const rows = await unwrap(request.abortSignal(signal));
    return rows.map(({ key, value, updated_at }) => ({ key, value, updatedAt: updated_at }));
  },
  save: async (key, value) => {
    const request = supabase.rest.from('user_settings').upsert({ key, value }, conflict);
    const [row] = await unwrap(request.select('updated_at'));
    return row?.updated_at ?? '';
  },
  saveOnUnload: (key, value) =>
    sendOnUnload(supabase, {
      method: 'POST',
      path: `user_settings?on_conflict=${conflict.onConflict}`,
      body: { key, value },
      prefer: 'resolution=merge-duplicates',
    }),
});

/** `settings` is one list for the page's life. */
export function useSyncedSettings(settings: readonly SyncedSetting[]): void {
  const { supabase, user, impersonation } = useSignedIn();
  const isImpersonated = impersonation !== null;
  useEffect(
    () => (isImpersonated ? undefined : syncSettings(user.id, settings, createTransport(supabase, user.id))),
    [supabase, user.id, isImpersonated, settings],
  );
}
