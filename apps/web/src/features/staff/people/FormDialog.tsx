/** A dialog that is one form: Enter sends it, a click beside it does not throw away what was typed. */
import { type ComponentProps, type ReactNode, type RefObject, useId } from 'react';
import { Button, type ButtonTone, Dialog, FormError } from '../../../shared/ui/index.ts';
import type { useSubmission } from '../../accounts/index.ts';
import { useOpened } from './opened.ts';

type Submission = ReturnType<typeof useSubmission>;

interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly submission: Pick<Submission, 'form' | 'pending' | 'failure'>;
  /** Says what will happen. */
  readonly submit: string;
  readonly tone?: ButtonTone;
  /** There is nothing to send yet. */
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
  const { onClose } = useOpened();
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
