/** One group of `user_settings` of the signed-in user, for a form that reads and saves it as a whole. */
import type { SettingKey } from '@fulcrum/contract';
import type { Json } from '@fulcrum/contract/database';
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../session/index.ts';
import { type Supabase, unwrap } from '../supabase/index.ts';

export const ownSettingKey = (key: SettingKey, userId: string) => ['own-setting', key, userId] as const;

/** `parse` gets what is stored, undefined where nothing is. */
export function useOwnSetting<Value>(key: SettingKey, parse: (stored: unknown) => Value) {
  const { user, supabase } = useSignedIn();
  return useQuery({
    queryKey: ownSettingKey(key, user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('user_settings').select('value').eq('user_id', user.id);
      const [row] = await unwrap(request.eq('key', key).abortSignal(signal));
      return parse(row?.value);
    },
  });
}

export async function saveOwnSetting({ rest }: Supabase, key: SettingKey, value: Json): Promise<void> {
  const row = { key, value };
  await unwrap(rest.from('user_settings').upsert(row, { onConflict: 'user_id,key' }).select('key'));
}
