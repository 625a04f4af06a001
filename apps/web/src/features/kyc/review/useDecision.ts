/**
 * Sends a decision, once however often it is asked for: a repeat after a lost answer carries the same id, so the server
 * answers with what it did. A conflict is an outcome of its own, because the case has to be read again then.
 */
import { useRef, useState } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { messageOf, RequestError } from '../../../shared/supabase/index.ts';
import { type KycCase, sendDecision } from './cases.ts';
import { type Draft, sentReasons } from './draft.ts';

export type Sent = 'decided' | 'conflict' | 'failed';

export function useDecision({ verification: { id, version } }: KycCase) {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isUnderWay = useRef<boolean>(false);
  /** The decision that was sent, and the id under which a repeat of it is sent. */
  const sent = useRef({ decision: '', clientId: '' });

  const decide = async (draft: Draft): Promise<Sent | null> => {
    if (isUnderWay.current || draft.outcome === null) return null;
    isUnderWay.current = true;
    setPending(true);
    setError(null);
    const decision = {
      p_id: id,
      p_decision: draft.outcome === 'approve' ? ('approved' as const) : ('rejected' as const),
      p_reasons: sentReasons(draft),
      p_reject_type: draft.outcome === 'approve' ? null : draft.outcome,
      p_note: draft.note.trim() || null,
      p_version: version,
    };
    const written = JSON.stringify(decision);
    if (sent.current.decision !== written) sent.current = { decision: written, clientId: newClientId() };
    try {
      await sendDecision(supabase, { ...decision, p_client_id: sent.current.clientId });
      return 'decided';
    } catch (cause) {
      if (cause instanceof RequestError && cause.code === 'changed_meanwhile') return 'conflict';
      log.warn('The decision was not taken', cause);
      setError(messageOf(cause, 'Failed to save the decision. Please try again.'));
      return 'failed';
    } finally {
      isUnderWay.current = false;
      setPending(false);
    }
  };
  return { decide, pending, error } as const;
}
