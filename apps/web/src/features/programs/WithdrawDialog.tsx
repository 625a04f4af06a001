/** Withdraws a contest before it begins. */
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { OperationDialog } from '../staff/index.ts';
import { type Contest, contestsKey } from './queries.ts';

interface WithdrawDialogProps {
  readonly withdrawn: Contest;
  /** Receives the focus: the button is gone by then. */
  readonly heading: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

export function WithdrawDialog({ withdrawn: { id, name, entrants }, heading, onClose }: WithdrawDialogProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const accounts =
    entrants === 0
      ? 'It has no entrants.'
      : `${entrants === 1 ? 'Its entrant is notified, and the account is' : `Its ${entrants} entrants are notified, and their accounts are`} archived.`;
  return (
    <OperationDialog
      operation={{
        title: `Withdraw ${name}?`,
        description: `It takes no more entrants, and it never begins. ${accounts} This cannot be undone.`,
        submit: 'Withdraw contest',
        tone: 'down',
        failureText: 'Failed to withdraw the contest',
        successText: 'Contest withdrawn',
        send: ({ reason = '' }) =>
          unwrap(supabase.rest.rpc('withdraw_contest', { p_contest_id: id, p_reason: reason })),
      }}
      onAnswered={() => void cache.invalidateQueries({ queryKey: contestsKey })}
      fallbackFocus={heading}
      onClose={onClose}
    />
  );
}
