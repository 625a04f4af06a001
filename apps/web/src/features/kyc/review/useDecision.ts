/**
 * Sends a decision once: a repeat after a lost answer has the same id, so the server answers with the first result. A
 * conflict is a separate outcome, because the case must then be read again.
 */
import { useRef, useState } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, RequestError } from '../../../shared/supabase/index.ts';
import { type KycCase, sendDecision } from './cases.ts';
import { type Draft, toSentReasons } from './draft.ts';

export type DecisionResult = 'decided' | 'conflict' | 'failed';

export function useDecision({ verification: { id, version } }: KycCase) {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const isSending = useRef<boolean>(false);
  /** The sent decision, and the id for a repeat of it. */
  const sent = useRef({ decision: '', clientId: '' });

  const decide = async (draft: Draft): Promise<DecisionResult | null> => {
    if (isSending.current || draft.outcome === null) return null;
    isSending.current = true;
    setPending(true);
    setError(null);
    const decision = {
      p_id: id,
      p_decision: draft.outcome === 'approve' ? ('approved' as const) : ('rejected' as const),
      p_reasons: toSentReasons(draft),
      p_reject_type: draft.outcome === 'approve' ? null : draft.outcome,
      p_note: draft.note.trim() || null,
      p_version: version,
    };
    const serialized = JSON.stringify(decision);
    if (sent.current.decision !== serialized)
      sent.current = { decision: serialized, clientId: newClientId() };
    try {
      await sendDecision(supabase, { ...decision, p_client_id: sent.current.clientId });
      return 'decided';
    } catch (cause) {
      if (cause instanceof RequestError && cause.code === 'changed_meanwhile') return 'conflict';
      log.warn('The decision was refused', cause);
      setError(getErrorMessage(cause, 'Failed to save the decision. Please try again.'));
      return 'failed';
    } finally {
      isSending.current = false;
      setPending(false);
    }
  };
  return { decide, pending, error } as const;
}
