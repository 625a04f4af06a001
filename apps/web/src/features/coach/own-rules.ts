/** The user's own rules, a group of `user_settings`. The server reads them for every review. */
import { type OwnRulesSetting, parseOwnRulesSetting } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../shared/session/index.ts';
import { type Supabase, unwrap } from '../../shared/supabase/index.ts';

export const ownRulesKey = (userId: string) => ['own-rules', userId] as const;

export function useOwnRules() {
  const { user, supabase } = useSignedIn();
  return useQuery({
    queryKey: ownRulesKey(user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('user_settings').select('value').eq('user_id', user.id);
      const [row] = await unwrap(request.eq('key', 'coach').abortSignal(signal));
      return parseOwnRulesSetting(row?.value);
    },
  });
}

export async function saveOwnRules(
  { rest }: Supabase,
  { riskShareMax, off, recap }: OwnRulesSetting,
): Promise<void> {
  const value = { riskShareMax, off: [...off], recap };
  await unwrap(
    rest.from('user_settings').upsert({ key: 'coach', value }, { onConflict: 'user_id,key' }).select('key'),
  );
}
