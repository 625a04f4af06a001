/** A dialog that gives a name to something: one field, checked on submission. */
import { TextField } from '../ui/index.ts';
import { FormDialog } from './FormDialog.tsx';
import { useSubmission } from './useSubmission.ts';

interface NameDialogProps {
  readonly title: string;
  readonly description?: string | undefined;
  /** The label of the submit button. */
  readonly submit: string;
  /** The present name; '' for something new. */
  readonly name: string;
  readonly maxLength: number;
  /** Null, or the text of the fault. */
  readonly check: (name: string) => string | null;
  readonly save: (name: string) => Promise<void> | void;
  /** The text of a rejected `save`, shown at the field. */
  readonly failed?: (cause: unknown) => string;
  readonly onClose: () => void;
  /** Receives the focus when the control that opened the dialog is gone. */
  readonly fallbackFocus?: () => HTMLElement | null;
}

export function NameDialog({ name: present, maxLength, check, save, failed, ...dialog }: NameDialogProps) {
  const submission = useSubmission({
    names: ['name'],
    check: ({ name }) => ({ name: check(name) }),
    send: async ({ name }) => {
      await save(name);
      return dialog.onClose;
    },
    ...(failed && { failed: (cause: unknown) => ({ text: failed(cause), at: 'name' as const }) }),
  });
  return (
    <FormDialog {...dialog} submission={submission}>
      <TextField {...submission.fieldOf('name')} label="Name" maxLength={maxLength} defaultValue={present} />
    </FormDialog>
  );
}
