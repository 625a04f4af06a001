/** The user's own rules, a group of `user_settings`. The server reads them for every review. */
import { type OwnRulesSetting, parseOwnRulesSetting } from '@fulcrum/domain';
import type { Supabase } from '../../shared/supabase/index.ts';
import { ownSettingKey, saveOwnSetting, useOwnSetting } from '../../shared/user-settings/index.ts';

export const ownRulesKey = (userId: string) => ownSettingKey('coach', userId);

export const useOwnRules = () => useOwnSetting('coach', parseOwnRulesSetting);

export const saveOwnRules = (
  supabase: Supabase,
  { riskShareMax, off, recap }: OwnRulesSetting,
): Promise<void> => saveOwnSetting(supabase, 'coach', { riskShareMax, off: [...off], recap });
