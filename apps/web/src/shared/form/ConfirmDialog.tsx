/** The confirmation before an action: what it does, a button that leaves everything as it is, and the one that does it. */
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Button, type ButtonTone, Dialog } from '../ui/index.ts';

interface ConfirmDialogProps
  extends Pick<ComponentProps<typeof Dialog>, 'title' | 'description' | 'fallbackFocus'> {
  readonly open?: boolean;
  readonly keep: string;
  readonly onKeep: () => void;
  /** Names the effect. */
  readonly confirm: string;
  readonly onConfirm: () => void;
  readonly tone?: ButtonTone;
  /** The button with the initial focus. */
  readonly focus?: 'keep' | 'confirm';
  readonly pending: boolean;
  readonly error: string | null;
  readonly children?: ReactNode;
}

export function ConfirmDialog({
  open = true,
  keep,
  onKeep,
  confirm,
  onConfirm,
  tone = 'primary',
  focus = 'keep',
  pending,
  error,
  children,
  ...dialog
}: ConfirmDialogProps) {
  const focused = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      {...dialog}
      open={open}
      onOpenChange={(isOpen) => isOpen || pending || onKeep()}
      initialFocus={focused}
      failure={error}
      actions={
        <>
          <Button {...(focus === 'keep' && { ref: focused })} onClick={onKeep} muted={pending}>
            {keep}
          </Button>
          <Button
            {...(focus === 'confirm' && { ref: focused })}
            tone={tone}
            onClick={onConfirm}
            pending={pending}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
