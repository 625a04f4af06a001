/**
 * One act on many users, sent in portions so that its progress is seen and no request outlasts its time. Invariant: a
 * portion that was answered is not sent again; one whose answer was lost is repeated under the same id, and so answered as
 * before. Another command (another manager, another reason) begins with everybody again, so that the report is of one.
 */
import type { Database } from '@fulcrum/contract/database';
import { texts } from '@fulcrum/contract/texts';
import { useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';

export type BulkKind = 'assign' | 'restrict' | 'lift';
export type ReportRow = Database['public']['Functions']['restrict_users']['Returns']['rows'][number];

export type BulkCommand =
  | { readonly kind: 'assign'; readonly managerId: string | null }
  | { readonly kind: 'restrict' | 'lift'; readonly reason: string; readonly clientId: string };

const portionRows = 50;

async function send(
  { rest }: Supabase,
  {
    command,
    ids,
    portion,
  }: { readonly command: BulkCommand; readonly ids: readonly string[]; readonly portion: number },
): Promise<readonly ReportRow[]> {
  const report = await rowsOf(
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
  /** How many were answered, and to which command. */
  const answered = useRef({ command: '', count: 0 });

  /** Resolves to the whole report; null when a portion failed, from which a repeat goes on. */
  const run = async (command: BulkCommand): Promise<readonly ReportRow[] | null> => {
    if (isRunning.current) return null;
    isRunning.current = true;
    setPending(true);
    setFailure(null);
    const asked = JSON.stringify(command);
    const isRepeat = answered.current.command === asked;
    if (!isRepeat) answered.current = { command: asked, count: 0 };
    let done = isRepeat ? rows : [];
    setRows(done);
    try {
      while (answered.current.count < ids.length) {
        const { count } = answered.current;
        const portion = ids.slice(count, count + portionRows);
        const report = await send(supabase, { command, ids: portion, portion: count });
        answered.current = { command: asked, count: count + portion.length };
        done = [...done, ...report];
        setRows(done);
      }
      return done;
    } catch (cause) {
      log.warn('A bulk act stopped', cause);
      setFailure(messageOf(cause, texts.unexpectedError));
      return null;
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  };

  return { rows, pending, failure, run } as const;
}
