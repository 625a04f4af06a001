/**
 * Runs one action on many users in portions, so that progress is visible and no request exceeds its timeout. Invariant: an
 * answered portion is not sent again; a portion whose answer was lost is repeated under the same id, and the server answers as
 * before. A changed command (another manager or reason) starts over with all users, so that the report is about one command.
 */
import type { Database } from '@fulcrum/contract/database';
import { useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';

export type BulkKind = 'assign' | 'restrict' | 'lift';
export type ReportRow = Database['public']['Functions']['restrict_users']['Returns']['rows'][number];

export type BulkCommand =
  | { readonly kind: 'assign'; readonly managerId: string | null }
  | { readonly kind: 'restrict' | 'lift'; readonly reason: string; readonly clientId: string };

const portionMax = 50;

async function send(
  { rest }: Supabase,
  {
    command,
    ids,
    portion,
  }: { readonly command: BulkCommand; readonly ids: readonly string[]; readonly portion: number },
): Promise<readonly ReportRow[]> {
  const report = await unwrap(
    command.kind === 'assign'
      ? rest.rpc('assign_users_to_manager', { p_user_ids: [...ids], p_manager_id: command.managerId })
      : rest.rpc('restrict_users', {
          p_user_ids: [...ids],
          p_restricted: command.kind === 'restrict',
          p_reason: command.reason,
          p_client_id: `${command.clientId}-${portion}`,
        }),
  );
  return report.rows;
}

export function useBulk(ids: readonly string[]) {
  const { supabase } = useSignedIn();
  const [rows, setRows] = useState<readonly ReportRow[]>([]);
  /** The number of answered users, and the command they were answered for. */
  const answered = useRef({ command: '', count: 0 });

  /** Resolves with the whole report. A repeat after a failed portion continues there. @throws RequestError */
  const run = async (command: BulkCommand): Promise<readonly ReportRow[]> => {
    const commandKey = JSON.stringify(command);
    const isRepeat = answered.current.command === commandKey;
    if (!isRepeat) answered.current = { command: commandKey, count: 0 };
    let done = isRepeat ? rows : [];
    setRows(done);
    while (answered.current.count < ids.length) {
      const { count } = answered.current;
      const portion = ids.slice(count, count + portionMax);
      const report = await send(supabase, { command, ids: portion, portion: count });
      answered.current = { command: commandKey, count: count + portion.length };
      done = [...done, ...report];
      setRows(done);
    }
    return done;
  };
  return { rows, run } as const;
}
