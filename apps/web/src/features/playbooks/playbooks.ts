/** The server's rows of playbooks and their trades. Each save names the row that it means, so it may be repeated. */
import type { PlaybookResults } from '@fulcrum/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSignedIn } from '../../shared/session/index.ts';
import { fromWire, type Playbook, type Supabase, unwrap, unwrapOrNull } from '../../shared/supabase/index.ts';

const listKey = (accountId: string) => ['playbooks', accountId] as const;
const resultsKey = (accountId: string) => ['playbook-results', accountId] as const;
const tradeKey = (accountId: string, positionId: string) =>
  ['playbook-trade', accountId, positionId] as const;

/** Oldest first. */
export function usePlaybooks() {
  const { accountId, supabase } = useSignedIn();
  return useQuery({
    queryKey: listKey(accountId),
    queryFn: async ({ signal }): Promise<readonly Playbook[]> => {
      const request = supabase.rest.from('playbooks').select('*').eq('user_id', accountId);
      return (await unwrap(request.order('created_at').order('id').abortSignal(signal))).map(fromWire);
    },
  });
}

export function usePlaybookResults() {
  const { accountId, supabase } = useSignedIn();
  return useQuery({
    queryKey: resultsKey(accountId),
    queryFn: ({ signal }): Promise<PlaybookResults> =>
      unwrap(supabase.rest.rpc('get_playbook_results', {}).abortSignal(signal)),
  });
}

/** The playbook of a trade with the criteria that it met; null without one. */
export interface TradeAnswer {
  readonly playbookId: string;
  readonly met: readonly string[];
}

export function useTradeAnswer(positionId: string) {
  const { accountId, supabase } = useSignedIn();
  return useQuery({
    queryKey: tradeKey(accountId, positionId),
    queryFn: async ({ signal }): Promise<TradeAnswer | null> => {
      const request = supabase.rest
        .from('playbook_trades')
        .select('playbook_id, met')
        .eq('user_id', accountId)
        .eq('position_id', positionId);
      const [row] = await unwrap(request.abortSignal(signal));
      return row === undefined ? null : { playbookId: row.playbook_id, met: row.met };
    },
  });
}

/** Reads what depends on playbooks again. */
export function useRefetchPlaybooks(): () => void {
  const { accountId } = useSignedIn();
  const cache = useQueryClient();
  return () => {
    for (const queryKey of [listKey(accountId), resultsKey(accountId), ['playbook-trade', accountId]])
      void cache.invalidateQueries({ queryKey });
  };
}

export interface PlaybookToSave {
  /** The browser makes it. */
  readonly id: string;
  readonly name: string;
  readonly criteria: readonly string[];
}

export async function savePlaybook(
  { rest }: Supabase,
  { id, name, criteria }: PlaybookToSave,
): Promise<void> {
  const row = { id, name, criteria: [...criteria] };
  await unwrap(rest.from('playbooks').upsert(row, { onConflict: 'user_id,id' }).select('id'));
}

/** Its trades lose it, too. */
export async function deletePlaybook({ rest }: Supabase, accountId: string, id: string): Promise<void> {
  await unwrapOrNull(rest.from('playbooks').delete().eq('user_id', accountId).eq('id', id));
}

/** Every criterion of the playbook is answered: what is not met is stored as not met. */
export async function saveAnswer(
  { rest }: Supabase,
  positionId: string,
  { id, criteria }: Pick<Playbook, 'id' | 'criteria'>,
  met: readonly string[],
): Promise<void> {
  const row = {
    position_id: positionId,
    playbook_id: id,
    met: criteria.filter((one) => met.includes(one)),
    unmet: criteria.filter((one) => !met.includes(one)),
  };
  const request = rest.from('playbook_trades').upsert(row, { onConflict: 'user_id,position_id' });
  await unwrap(request.select('position_id'));
}

export async function removeAnswer({ rest }: Supabase, accountId: string, positionId: string): Promise<void> {
  const request = rest.from('playbook_trades').delete().eq('user_id', accountId);
  await unwrapOrNull(request.eq('position_id', positionId));
}
