/**
 * A dialog with one form: Enter submits it, and a click outside does not discard the input. The first field to type or choose
 * from gets the focus, else the dialog's first control; browsers complete only fields that ask for it.
 */
import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import { Button, type ButtonTone, Dialog } from '../ui/index.ts';
import type { useSubmission } from './useSubmission.ts';

const typedFields = 'input:not([type=radio], [type=checkbox]), select, textarea';

type Submission = ReturnType<typeof useSubmission>;

interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly submission: Pick<Submission, 'form' | 'pending' | 'failure'>;
  /** The label of the submit button, which names the effect. */
  readonly submit: string;
  readonly tone?: ButtonTone;
  /** Nothing to submit yet. */
  readonly isMuted?: boolean;
  /** Receives the focus when the control that opened the dialog is gone. */
  readonly fallbackFocus?: () => HTMLElement | null;
  readonly size?: ComponentProps<typeof Dialog>['size'];
  /** The accessible name of the form. */
  readonly label?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function FormDialog({
  title,
  description,
  submission: { form, pending, failure },
  submit,
  tone = 'primary',
  isMuted = false,
  fallbackFocus,
  size,
  label,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId();
  const first = useRef<HTMLElement>(null);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onClose()}
      outside="stays"
      title={title}
      description={description}
      initialFocus={first}
      {...(fallbackFocus && { fallbackFocus })}
      {...(size && { size })}
      failure={failure}
      actions={
        <>
          <Button onClick={onClose} muted={pending}>
            Cancel
          </Button>
          <Button type="submit" form={id} tone={tone} pending={pending} muted={isMuted}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        {...form}
        ref={(shown) => {
          first.current = shown?.querySelector<HTMLElement>(typedFields) ?? null;
        }}
        id={id}
        aria-label={label}
        autoComplete="off"
        className="flex flex-col gap-4"
      >
        {children}
      </form>
    </Dialog>
  );
}
