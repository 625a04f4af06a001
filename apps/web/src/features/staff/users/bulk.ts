/**
 * Runs one action on many users in portions, so that progress is visible and no request exceeds its timeout. Invariant: an
 * answered portion is not sent again; a portion whose answer was lost is repeated under the same id, and the server answers as
 * before. A changed command (another manager or reason) starts over with all users, so that the report is about one command.
 */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, type Supabase, unwrap } from '../../../shared/supabase/index.ts';

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
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const isRunning = useRef<boolean>(false);
  /** The number of answered users, and the command they were answered for. */
  const answered = useRef({ command: '', count: 0 });

  /** Resolves to the whole report, or to null when a portion failed; a repeat continues there. */
  const run = async (command: BulkCommand): Promise<readonly ReportRow[] | null> => {
    if (isRunning.current) return null;
    isRunning.current = true;
    setPending(true);
    setFailure(null);
    const commandKey = JSON.stringify(command);
    const isRepeat = answered.current.command === commandKey;
    if (!isRepeat) answered.current = { command: commandKey, count: 0 };
    let done = isRepeat ? rows : [];
    setRows(done);
    try {
      while (answered.current.count < ids.length) {
        const { count } = answered.current;
        const portion = ids.slice(count, count + portionMax);
        const report = await send(supabase, { command, ids: portion, portion: count });
        answered.current = { command: commandKey, count: count + portion.length };
        done = [...done, ...report];
        setRows(done);
      }
      return done;
    } catch (cause) {
      log.warn('A bulk action stopped', cause);
      setFailure(getErrorMessage(cause, texts.unexpectedError));
      return null;
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  };

  return { rows, pending, failure, run } as const;
}
