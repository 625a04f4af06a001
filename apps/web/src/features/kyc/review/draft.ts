/**
 * A reviewer's unsent draft of a decision. Pure. Invariants: reasons belong to a refused document or to the
 * submission as a whole. An approval can be sent only when all three documents are accepted and no reason is picked.
 */
import type { KycPicture, KycReason } from '@fulcrum/contract';
import { type KycReasonRule, kycReasonOf, kycReasons, underageReason } from '@fulcrum/domain';

export const documents = [
  'document_front',
  'document_back',
  'selfie',
] as const satisfies readonly KycPicture[];

export type Verdict = 'accepted' | 'refused';
export type Outcome = 'approve' | 'retry' | 'final';

export interface PickedReason {
  /** Null: the submission as a whole. */
  readonly document: KycPicture | null;
  readonly code: string;
  /** The text that the trader will read. */
  readonly text: string;
}

export interface Draft {
  readonly verdicts: Readonly<Partial<Record<KycPicture, Verdict>>>;
  readonly picked: readonly PickedReason[];
  /** Null until it is chosen, or follows from the verdicts. */
  readonly outcome: Outcome | null;
  readonly note: string;
}

export const emptyDraft: Draft = { verdicts: {}, picked: [], outcome: null, note: '' };

/** The reasons available for a document, or for the whole. */
export const reasonsFor = (document: KycPicture | null): readonly KycReasonRule[] =>
  kycReasons.filter(({ documents: of }) => of.includes(document));

export const isPicked = ({ picked }: Draft, document: KycPicture | null, code: string): boolean =>
  picked.some((reason) => reason.document === document && reason.code === code);

export const canApprove = ({ verdicts, picked }: Draft): boolean =>
  picked.length === 0 && documents.every((document) => verdicts[document] === 'accepted');

export const canReject = ({ picked }: Draft): boolean =>
  picked.length > 0 && picked.every(({ text }) => text.trim() !== '');

/** Suggests the outcome that follows from verdicts and reasons, unless the reviewer chose one. */
function withSuggestedOutcome(draft: Draft): Draft {
  const isRefusal =
    draft.picked.length > 0 || documents.some((document) => draft.verdicts[document] === 'refused');
  if (isRefusal) {
    const isFinal = draft.picked.some(({ code }) => kycReasonOf(code)?.retryable === false);
    const outcome =
      draft.outcome === null || draft.outcome === 'approve' ? (isFinal ? 'final' : 'retry') : draft.outcome;
    return { ...draft, outcome };
  }
  return canApprove(draft)
    ? { ...draft, outcome: 'approve' }
    : { ...draft, outcome: draft.outcome === 'approve' ? null : draft.outcome };
}

export type DraftChange =
  | { readonly type: 'judged'; readonly document: KycPicture; readonly verdict: Verdict }
  | { readonly type: 'reason'; readonly document: KycPicture | null; readonly code: string }
  | {
      readonly type: 'text';
      readonly document: KycPicture | null;
      readonly code: string;
      readonly text: string;
    }
  | { readonly type: 'outcome'; readonly outcome: Outcome }
  | { readonly type: 'note'; readonly note: string };

export function reduceDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case 'judged': {
      const { document, verdict } = change;
      const verdicts = { ...draft.verdicts, [document]: verdict };
      const picked =
        verdict === 'refused' ? draft.picked : draft.picked.filter((reason) => reason.document !== document);
      return withSuggestedOutcome({ ...draft, verdicts, picked });
    }
    case 'reason': {
      const { document, code } = change;
      if (isPicked(draft, document, code)) {
        const picked = draft.picked.filter((reason) => reason.document !== document || reason.code !== code);
        return withSuggestedOutcome({ ...draft, picked });
      }
      const text = kycReasonOf(code)?.text ?? '';
      return withSuggestedOutcome({ ...draft, picked: [...draft.picked, { document, code, text }] });
    }
    case 'text': {
      const { document, code, text } = change;
      const picked = draft.picked.map((reason) =>
        reason.document === document && reason.code === code ? { ...reason, text } : reason,
      );
      return { ...draft, picked };
    }
    case 'outcome':
      return { ...draft, outcome: change.outcome };
    case 'note':
      return { ...draft, note: change.note };
  }
}

/** The reasons as they are sent; none for an approval. */
export const toSentReasons = ({ picked, outcome }: Draft): KycReason[] =>
  outcome === 'approve'
    ? []
    : picked.map(({ document, code, text }) => ({ document, code, text: text.trim() }));

/** The draft of a new case: of a user below the least age, with that reason. */
export const toFirstDraft = (isUnderage: boolean): Draft =>
  isUnderage ? reduceDraft(emptyDraft, { type: 'reason', document: null, code: underageReason }) : emptyDraft;
