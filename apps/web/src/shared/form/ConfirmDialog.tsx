/** The confirmation before an action: what it does, a button that leaves everything as it is, and the one that does it. */
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Button, type ButtonTone, Dialog } from '../ui/index.ts';
import { failedWith, useRequest } from './useRequest.ts';

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

interface RequestDialogProps
  extends Omit<ConfirmDialogProps, 'open' | 'keep' | 'onKeep' | 'onConfirm' | 'pending' | 'error'> {
  readonly keep?: string;
  readonly send: () => Promise<unknown>;
  /** The text of a rejected `send` that has none of the server's. */
  readonly failed: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The confirmation of one request. */
export function RequestDialog({
  keep = 'Keep it',
  send,
  failed,
  onDone,
  onClose,
  ...dialog
}: RequestDialogProps) {
  const { run, pending, error } = useRequest();
  const confirm = async () => {
    const isDone = await run(async () => {
      await send();
      return null;
    }, failedWith(failed));
    if (isDone) onDone();
  };
  return (
    <ConfirmDialog
      {...dialog}
      keep={keep}
      onKeep={onClose}
      onConfirm={() => void confirm()}
      pending={pending}
      error={error}
    />
  );
}
