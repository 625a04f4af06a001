/** The confirmation before a decision, which is final. */
import { useRef } from 'react';
import { Button, Dialog, FormError } from '../../../shared/ui/index.ts';
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
  const confirm = useRef<HTMLButtonElement>(null);
  const isApproval = draft.outcome === 'approve';
  const { username } = opened.user;
  const type = opened.verification.document_type;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onCancel()}
      initialFocus={confirm}
      title={isApproval ? `Approve ${username}?` : `Reject ${username}?`}
      description={
        isApproval
          ? 'The trader will be verified and notified. This cannot be undone.'
          : draft.outcome === 'final'
            ? 'The trader will be referred to support and cannot submit again. This cannot be undone.'
            : 'The trader will see the reasons and can submit again. This cannot be undone.'
      }
      actions={
        <>
          <Button onClick={onCancel} muted={pending}>
            Back
          </Button>
          <Button ref={confirm} tone={isApproval ? 'up' : 'down'} onClick={onConfirm} pending={pending}>
            {isApproval ? 'Yes, approve' : 'Yes, reject'}
          </Button>
        </>
      }
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
      <FormError>{error}</FormError>
    </Dialog>
  );
}
