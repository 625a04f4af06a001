/** A dialog that asks for the reason of an action and does it. */
import type { ComponentProps } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../../shared/form/index.ts';
import { ReasonField, validateReason } from './ReasonField.tsx';

interface ReasonDialogProps extends Omit<ComponentProps<typeof FormDialog>, 'submission' | 'children'> {
  readonly hint?: string;
  /** Resolves with what follows the success, if anything. */
  readonly send: (reason: string) => Promise<(() => void) | undefined>;
  /** The text of a rejected `send`. */
  readonly failed: (cause: unknown) => string;
}

export function ReasonDialog({
  hint = 'Stored in the audit log.',
  send,
  failed,
  ...dialog
}: ReasonDialogProps) {
  const submission = useSubmission({
    names: ['reason'],
    check: ({ reason }) => ({ reason: validateReason(reason) }),
    send: ({ reason }) => send(reason),
    failed,
  });
  return (
    <FormDialog {...dialog} submission={submission}>
      <ReasonField hint={hint} error={submission.errorOf('reason')} />
    </FormDialog>
  );
}
