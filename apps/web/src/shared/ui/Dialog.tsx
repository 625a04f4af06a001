/**
 * A modal dialog. It traps focus, returns it to the opener, and closes on Escape. A dialog that moves money states the amount
 * before the action.
 */
import X from 'lucide-react/icons/x';
import { Dialog as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, type RefObject, useRef } from 'react';
import { IconButton } from './Button.tsx';
import { FormError } from './states.tsx';
import { useBackCloses } from './useBackCloses.ts';
import { useKeyboardHeight } from './useKeyboardHeight.ts';

const widths = { regular: 'max-w-md', wide: 'max-w-2xl', widest: 'max-w-4xl' } as const;

interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
  /** Buttons, the main one last. */
  readonly actions?: ReactNode;
  /** Why the action failed. It stands above the buttons, which stay in sight. */
  readonly failure?: string | null;
  /** The element with the initial focus; defaults to the first focusable one. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  /** Whether a click outside closes the dialog; `stays` protects typed input. */
  readonly outside?: 'closes' | 'stays';
  /** `wide` has room for two columns of fields. */
  readonly size?: keyof typeof widths;
  /** Receives the focus on close when the opener is gone. */
  readonly fallbackFocus?: () => HTMLElement | null | undefined;
}

interface ModalProps extends ComponentProps<typeof Radix.Content> {
  readonly open?: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/**
 * A layer over the dimmed page. The caller gives the classes and a `Title` of Radix; unlike `Dialog`, it neither returns the focus nor closes
 * on Back.
 */
export function Modal({ open = true, onOpenChange, ...content }: ModalProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fade fixed inset-0 z-40 bg-backdrop" />
        <Radix.Content aria-modal="true" {...content} />
      </Radix.Portal>
    </Radix.Root>
  );
}

const close = (
  <Radix.Close asChild>
    <IconButton label="Close" className="-mr-1.5">
      <X size={16} aria-hidden="true" />
    </IconButton>
  </Radix.Close>
);

/** Returns the focus to the opener: Radix returns it to its own trigger only, and these dialogs open from anywhere. */
function useFocusReturn({
  initialFocus,
  fallbackFocus,
}: Pick<DialogProps, 'initialFocus' | 'fallbackFocus'>) {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      const content = event.currentTarget;
      const active = document.activeElement;
      // The body has the focus when the opener is gone, as after another dialog.
      const isOpener = active !== document.body && !(content instanceof Node && content.contains(active));
      if (isOpener) opener.current = active;
      if (!initialFocus?.current) return;
      event.preventDefault();
      initialFocus.current.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const focusTarget = opener.current?.isConnected ? opener.current : fallbackFocus?.();
      if (!(focusTarget instanceof HTMLElement)) return;
      // This runs shortly after closing: a menu or a field that got the focus meanwhile keeps it.
      if (document.activeElement?.contains(focusTarget) ?? true) focusTarget.focus();
    },
  };
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  failure = null,
  initialFocus,
  outside = 'closes',
  size = 'regular',
  fallbackFocus,
}: DialogProps) {
  const focus = useFocusReturn({
    ...(initialFocus && { initialFocus }),
    ...(fallbackFocus && { fallbackFocus }),
  });
  const keyboardHeight = useKeyboardHeight();
  useBackCloses(open, () => onOpenChange(false));
  return (
    <Modal
      open={open}
      onOpenChange={onOpenChange}
      {...(description === undefined && { 'aria-describedby': undefined })}
      {...focus}
      onInteractOutside={(event) => outside === 'stays' && event.preventDefault()}
      // Centred by margins, whose pixels are whole, in the space above the on-screen keyboard.
      style={
        keyboardHeight > 0
          ? { bottom: keyboardHeight, maxHeight: `calc(100% - ${keyboardHeight + 16}px)` }
          : undefined
      }
      className={`rise fixed inset-x-4 inset-y-0 z-50 m-auto h-fit max-h-[85dvh] short:max-h-[calc(100dvh-16px)] ${widths[size]} overflow-y-auto rounded-dialog border border-line-strong bg-raised p-5 shadow-raised ${actions ? 'scroll-pb-24' : ''}`}
    >
      <div className="flex items-center justify-between gap-4">
        <Radix.Title className="text-16 font-semibold">{title}</Radix.Title>
        {close}
      </div>
      {description === undefined ? null : (
        <Radix.Description asChild>
          <div className="mt-1 text-13 text-text-2">{description}</div>
        </Radix.Description>
      )}
      <div className="mt-4">{children}</div>
      {actions ? (
        <div className="sticky -bottom-5 z-10 -mx-5 mt-3 -mb-5 flex flex-col gap-2 bg-raised px-5 pt-2 pb-5">
          <FormError>{failure}</FormError>
          <div className="flex justify-end gap-2">{actions}</div>
        </div>
      ) : null}
    </Modal>
  );
}

/** The phone variant: a sheet from the bottom, 64 px below the top, with a grip. Its `foot` never scrolls. */
export function Sheet({
  open,
  onOpenChange,
  title,
  children,
  foot,
}: Omit<
  DialogProps,
  'description' | 'actions' | 'failure' | 'initialFocus' | 'fallbackFocus' | 'outside' | 'size'
> & {
  readonly foot?: ReactNode;
}) {
  useBackCloses(open, () => onOpenChange(false));
  return (
    <Modal
      open={open}
      onOpenChange={onOpenChange}
      aria-describedby={undefined}
      className="rise fixed inset-x-0 top-[calc(var(--impersonation-height)+64px)] bottom-0 z-50 flex flex-col rounded-t-dialog border-t border-line-strong bg-raised shadow-raised"
    >
      <span aria-hidden="true" className="mx-auto mt-2 h-1 w-9 shrink-0 rounded-full bg-line-strong" />
      <div className="flex items-center justify-between gap-4 px-4 pt-1">
        <Radix.Title className="text-16 font-semibold">{title}</Radix.Title>
        {close}
      </div>
      <div className="min-h-0 grow overflow-y-auto px-4 py-3">{children}</div>
      {foot ? (
        <div className="shrink-0 border-t border-line px-4 pt-3 pb-[calc(12px+env(safe-area-inset-bottom))]">
          {foot}
        </div>
      ) : null}
    </Modal>
  );
}
