/** The confirmation before a decision, which is final. */
import { ConfirmDialog } from '../../../shared/form/ConfirmDialog.tsx';
import type { KycCase } from './cases.ts';
import { type Draft, toSentReasons } from './draft.ts';
import { getDocumentLabel, getReasonLabel } from './labels.ts';

interface ConfirmDecisionProps {
  readonly opened: KycCase;
  readonly draft: Draft;
  readonly pending: boolean;
  readonly error: string | null;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

export function ConfirmDecision({
  opened,
  draft,
  pending,
  error,
  onConfirm,
  onCancel,
}: ConfirmDecisionProps) {
  const isApproval = draft.outcome === 'approve';
  const { username } = opened.user;
  const type = opened.verification.document_type;
  return (
    <ConfirmDialog
      title={isApproval ? `Approve ${username}?` : `Reject ${username}?`}
      description={
        isApproval
          ? 'The trader will be verified and notified. This cannot be undone.'
          : draft.outcome === 'final'
            ? 'The trader will be referred to support and cannot submit again. This cannot be undone.'
            : 'The trader will see the reasons and can submit again. This cannot be undone.'
      }
      keep="Back"
      onKeep={onCancel}
      confirm={isApproval ? 'Yes, approve' : 'Yes, reject'}
      onConfirm={onConfirm}
      tone={isApproval ? 'up' : 'down'}
      focus="confirm"
      pending={pending}
      error={error}
    >
      {isApproval ? null : (
        <ul className="flex flex-col gap-1 text-13">
          {toSentReasons(draft).map(({ document, code }) => (
            <li key={`${document} ${code}`}>
              {`${document === null ? 'The whole' : getDocumentLabel(document, type)}: ${getReasonLabel(code)}`}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}
