/** The account's addresses for signals, its last signals, and the requests on them. */
import type { Database } from '@fulcrum/contract/database';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type SignedIn, useSignedIn } from '../../shared/session/index.ts';
import { type CamelCased, fromWire, unwrap } from '../../shared/supabase/index.ts';

type Functions = Database['public']['Functions'];
export type SignalHook = CamelCased<Functions['list_signal_hooks']['Returns'][number]>;
export type NewHook = CamelCased<Functions['create_signal_hook']['Returns']>;
export type Signal = CamelCased<Functions['list_signals']['Returns'][number]>;
export type SignalPreview = CamelCased<Functions['preview_signal']['Returns']>;

const hooksKey = (accountId: string) => ['signal-hooks', accountId] as const;
const signalsKey = (accountId: string) => ['signals', accountId] as const;

/** Signals come from outside, so no change of this page announces them. */
const refreshEveryMs = 3_000;

export function useHooks() {
  const { accountId, supabase } = useSignedIn();
  return useQuery<readonly SignalHook[]>({
    queryKey: hooksKey(accountId),
    queryFn: async ({ signal }) =>
      (
        await unwrap(supabase.rest.rpc('list_signal_hooks', { p_account_id: accountId }).abortSignal(signal))
      ).map(fromWire),
  });
}

/** The last 100, the newest first; read again every few seconds while the page is visible. */
export function useSignals() {
  const { accountId, supabase } = useSignedIn();
  return useQuery<readonly Signal[]>({
    queryKey: signalsKey(accountId),
    refetchInterval: refreshEveryMs,
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('list_signals', { p_account_id: accountId }).abortSignal(signal))).map(
        fromWire,
      ),
  });
}

/** Reads the addresses again; resolves when they are here. */
export function useReadHooksAgain(): () => Promise<void> {
  const { accountId } = useSignedIn();
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: hooksKey(accountId) });
}

type Account = Pick<SignedIn, 'accountId' | 'supabase'>;

/** Its address is in this answer and nowhere else. */
export const createHook = async ({ accountId, supabase }: Account, name: string): Promise<NewHook> =>
  fromWire(await unwrap(supabase.rest.rpc('create_signal_hook', { p_account_id: accountId, p_name: name })));

export const revokeHook = ({ supabase }: Pick<Account, 'supabase'>, hookId: string) =>
  unwrap(supabase.rest.rpc('revoke_signal_hook', { p_hook_id: hookId }));

export const previewSignal = async ({ accountId, supabase }: Account, body: string): Promise<SignalPreview> =>
  fromWire(await unwrap(supabase.rest.rpc('preview_signal', { p_account_id: accountId, p_body: body })));
