/** A dialog with one form: Enter submits it, and a click outside does not discard the input. */
import { type ComponentProps, type ReactNode, type RefObject, useId } from 'react';
import { Button, type ButtonTone, Dialog, FormError } from '../../../shared/ui/index.ts';
import type { useSubmission } from '../../identity/index.ts';
import { useDialogContext } from './dialog-context.ts';

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
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly size?: ComponentProps<typeof Dialog>['size'];
  readonly children: ReactNode;
}

export function FormDialog({
  title,
  description,
  submission: { form, pending, failure },
  submit,
  tone = 'primary',
  isMuted = false,
  initialFocus,
  size,
  children,
}: FormDialogProps) {
  const { onClose } = useDialogContext();
  const id = useId();
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onClose()}
      outside="stays"
      title={title}
      description={description}
      {...(initialFocus && { initialFocus })}
      {...(size && { size })}
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
      <form {...form} id={id} className="flex flex-col gap-4">
        {children}
        <FormError>{failure}</FormError>
      </form>
    </Dialog>
  );
}
