/**
 * Runs one action on many users in portions, so that progress is visible and no request exceeds its timeout. Invariant: an
 * answered portion is not sent again; a portion whose answer was lost is repeated under the same id, and the server answers as
 * before. The first command that was sent is the one that is continued: another one would pay the answered users twice.
 */
import type { Database } from '@fulcrum/contract/database';
import { useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';

export type BulkKind = 'assign' | 'restrict' | 'lift' | 'funds' | 'reset' | 'class' | 'invite';
type Functions = Database['public']['Functions'];
type InvitedRow = Functions['invite_users_again']['Returns']['rows'][number];
export type ReportRow = Functions['restrict_users']['Returns']['rows'][number] &
  Partial<Pick<InvitedRow, 'email' | 'link'>>;
export type FundsChange = Functions['adjust_funds_of_users']['Args']['p_change'];
export type LinkDelivery = Functions['invite_users_again']['Args']['p_links'];
export type BulkPreview = Functions['preview_bulk_action']['Returns'];
export type PreviewedAction = Functions['preview_bulk_action']['Args']['p_action'];

export type BulkCommand =
  | { readonly kind: 'assign'; readonly managerId: string | null }
  | (ReasonedCommand & { readonly reason: string; readonly clientId: string });

/** `inClass`: of their accounts of this class, or from this class; null for main accounts. */
export type ReasonedCommand =
  | { readonly kind: 'restrict' | 'lift' }
  | {
      readonly kind: 'funds';
      readonly inClass: string | null;
      readonly change: FundsChange;
      readonly amount: string;
    }
  | { readonly kind: 'reset'; readonly inClass: string | null }
  | { readonly kind: 'class'; readonly inClass: string | null; readonly classId: string }
  | { readonly kind: 'invite'; readonly links: LinkDelivery };

const portionMax = 50;

interface Portion {
  readonly command: BulkCommand;
  readonly ids: readonly string[];
  /** The number of its first user. */
  readonly first: number;
}

async function send({ rest }: Supabase, { command, ids, first }: Portion): Promise<readonly ReportRow[]> {
  const users = { p_user_ids: [...ids] };
  if (command.kind === 'assign') {
    return (await unwrap(rest.rpc('assign_users_to_manager', { ...users, p_manager_id: command.managerId })))
      .rows;
  }
  const reasoned = { ...users, p_reason: command.reason };
  const repeatable = { ...reasoned, p_client_id: `${command.clientId}-${first}` };
  switch (command.kind) {
    case 'restrict':
    case 'lift': {
      const p_restricted = command.kind === 'restrict';
      return (await unwrap(rest.rpc('restrict_users', { ...repeatable, p_restricted }))).rows;
    }
    case 'funds': {
      const { inClass, change, amount } = command;
      const funds = { ...repeatable, p_class_id: inClass, p_change: change, p_amount: amount };
      return (await unwrap(rest.rpc('adjust_funds_of_users', funds))).rows;
    }
    case 'reset':
      return (await unwrap(rest.rpc('reset_users', { ...repeatable, p_class_id: command.inClass }))).rows;
    case 'class': {
      const { inClass, classId } = command;
      const joining = { ...reasoned, p_class_id: classId, p_from_class_id: inClass };
      return (await unwrap(rest.rpc('add_class_members', joining))).rows;
    }
    case 'invite':
      return (await unwrap(rest.rpc('invite_users_again', { ...repeatable, p_links: command.links }))).rows;
  }
}

/** As the preview takes it: the class of the accounts, and the action. */
export function toPreviewArgs(command: ReasonedCommand): {
  readonly p_class_id: string | null;
  readonly p_action: PreviewedAction;
} {
  switch (command.kind) {
    case 'funds': {
      const { kind, change, amount, inClass } = command;
      return { p_class_id: inClass, p_action: { kind, change, amount } };
    }
    case 'class':
      return { p_class_id: command.inClass, p_action: { kind: 'class', class_id: command.classId } };
    case 'reset':
      return { p_class_id: command.inClass, p_action: { kind: 'reset' } };
    default:
      return { p_class_id: null, p_action: { kind: command.kind } };
  }
}

export function useBulk(ids: readonly string[]) {
  const { supabase } = useSignedIn();
  const [rows, setRows] = useState<readonly ReportRow[]>([]);
  const [started, setStarted] = useState<BulkCommand | null>(null);
  const answered = useRef(0);

  /** Resolves with the whole report. After a failed portion it continues there, with the first command. @throws RequestError */
  const run = async (next: BulkCommand): Promise<readonly ReportRow[]> => {
    const command = started ?? next;
    setStarted(command);
    let done = rows;
    while (answered.current < ids.length) {
      const first = answered.current;
      const portion = ids.slice(first, first + portionMax);
      const report = await send(supabase, { command, ids: portion, first });
      answered.current = first + portion.length;
      done = [...done, ...report];
      setRows(done);
    }
    return done;
  };
  return {
    rows,
    run,
    /** Whether a command was sent, so that it may only be continued. */
    isStarted: started !== null,
    /** The users without an answer. The first `unknown` of them may be changed all the same. */
    unanswered: () => {
      const left = ids.slice(answered.current);
      return { ids: left, unknown: Math.min(left.length, portionMax) };
    },
  } as const;
}
