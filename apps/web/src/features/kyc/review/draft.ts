/**
 * What a reviewer has made of a case so far, before it is sent. Pure. Invariants: reasons belong to a refused document or
 * to the submission as a whole; an approval can be sent only when all three documents are accepted and no reason is picked.
 */
import type { KycPicture, KycReason } from '@fulcrum/contract';
import { type KycReasonRule, kycReasonOf, kycReasons } from '@fulcrum/domain';

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
  /** As the trader will read it. */
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

/** What may be said of a document, or of the whole. */
export const reasonsFor = (document: KycPicture | null): readonly KycReasonRule[] =>
  kycReasons.filter(({ documents: of }) => of.includes(document));

export const isPicked = ({ picked }: Draft, document: KycPicture | null, code: string): boolean =>
  picked.some((reason) => reason.document === document && reason.code === code);

export const mayApprove = ({ verdicts, picked }: Draft): boolean =>
  picked.length === 0 && documents.every((document) => verdicts[document] === 'accepted');

export const mayReject = ({ picked }: Draft): boolean =>
  picked.length > 0 && picked.every(({ text }) => text.trim() !== '');

/** The outcome that the verdicts and reasons speak for, where nobody chose another one. */
function followed(draft: Draft): Draft {
  const isRefusal =
    draft.picked.length > 0 || documents.some((document) => draft.verdicts[document] === 'refused');
  if (isRefusal) {
    const isHopeless = draft.picked.some(({ code }) => kycReasonOf(code)?.retryable === false);
    const outcome =
      draft.outcome === null || draft.outcome === 'approve'
        ? isHopeless
          ? 'final'
          : 'retry'
        : draft.outcome;
    return { ...draft, outcome };
  }
  return mayApprove(draft)
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

export function changed(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case 'judged': {
      const { document, verdict } = change;
      const verdicts = { ...draft.verdicts, [document]: verdict };
      const picked =
        verdict === 'refused' ? draft.picked : draft.picked.filter((reason) => reason.document !== document);
      return followed({ ...draft, verdicts, picked });
    }
    case 'reason': {
      const { document, code } = change;
      if (isPicked(draft, document, code)) {
        const picked = draft.picked.filter((reason) => reason.document !== document || reason.code !== code);
        return followed({ ...draft, picked });
      }
      const text = kycReasonOf(code)?.text ?? '';
      return followed({ ...draft, picked: [...draft.picked, { document, code, text }] });
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
export const sentReasons = ({ picked, outcome }: Draft): KycReason[] =>
  outcome === 'approve'
    ? []
    : picked.map(({ document, code, text }) => ({ document, code, text: text.trim() }));

/** Full years of somebody born on `birth` (`1991-04-17`) at `now`; null for what is no date. */
export function ageOf(birth: string, now: Date): number | null {
  const [year, month, day] = birth.split('-').map(Number);
  if (year === undefined || month === undefined || day === undefined || Number.isNaN(year + month + day))
    return null;
  const had = now.getMonth() + 1 > month || (now.getMonth() + 1 === month && now.getDate() >= day);
  return now.getFullYear() - year - (had ? 0 : 1);
}
