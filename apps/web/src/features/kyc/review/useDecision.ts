/**
 * Sends a decision once: a repeat after a lost answer has the same id, so the server answers with the first result. A
 * conflict is a separate outcome, because the case must then be read again.
 */
import { failedWith, useRepeatableClientId, useRequest } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { RequestError } from '../../../shared/supabase/index.ts';
import { type KycCase, sendDecision } from './cases.ts';
import { type Draft, toSentReasons } from './draft.ts';

export type DecisionResult = 'decided' | 'conflict' | 'failed';

export function useDecision({ verification: { id, version } }: KycCase) {
  const { supabase } = useSignedIn();
  const { run, pending, error, isBusy } = useRequest();
  const clientIdOf = useRepeatableClientId();

  const decide = async (draft: Draft): Promise<DecisionResult | null> => {
    if (isBusy() || draft.outcome === null) return null;
    const decision = {
      p_id: id,
      p_decision: draft.outcome === 'approve' ? ('approved' as const) : ('rejected' as const),
      p_reasons: toSentReasons(draft),
      p_reject_type: draft.outcome === 'approve' ? null : draft.outcome,
      p_note: draft.note.trim() || null,
      p_version: version,
    };
    const clientId = clientIdOf(JSON.stringify(decision));
    let isConflict = false;
    const isDecided = await run(
      async () => {
        await sendDecision(supabase, { ...decision, p_client_id: clientId });
      },
      (cause) => {
        isConflict = cause instanceof RequestError && cause.code === 'changed_meanwhile';
        return isConflict ? null : failedWith('Failed to save the decision. Please try again.')(cause);
      },
    );
    return isDecided ? 'decided' : isConflict ? 'conflict' : 'failed';
  };
  return { decide, pending, error } as const;
}
