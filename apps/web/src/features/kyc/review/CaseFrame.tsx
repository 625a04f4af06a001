/** The frame of a case, also while its code or content is loading, and when loading fails. */
import { Dialog as Radix } from 'radix-ui';
import type { KeyboardEvent as KeyPress, ReactNode, RefObject } from 'react';
import type { MissingProps } from '../../../shared/code/lazy-code.tsx';
import { ErrorState, Modal, Skeleton } from '../../../shared/ui/index.ts';
import { useReviewParams } from './useReviewParams.ts';

const frameStyles =
  'rise fixed inset-4 z-50 flex flex-col overflow-hidden rounded-dialog border border-line-strong bg-surface shadow-raised xl:inset-x-12 xl:inset-y-9 max-lg:inset-0 max-lg:rounded-none max-lg:border-0';

interface FrameProps {
  readonly children: ReactNode;
  /** Announced while the case itself has no heading yet. */
  readonly title: string | null;
  /** Handles the keys of the case. */
  readonly onKeyDown?: (event: KeyPress) => void;
  /** The element with the initial focus; by default the first focusable one. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly onEscape?: (event: KeyboardEvent) => void;
}

/** Closing it removes the case from the address. */
export function CaseFrame({ children, title, onKeyDown, onEscape, initialFocus }: FrameProps) {
  const { close } = useReviewParams();
  return (
    <Modal
      onOpenChange={(isOpen) => isOpen || close()}
      aria-describedby={undefined}
      // A click beside the dialog does not discard a draft. At the end, the list sets the focus.
      onInteractOutside={(event) => event.preventDefault()}
      onOpenAutoFocus={(event) => {
        if (!initialFocus?.current) return;
        event.preventDefault();
        initialFocus.current.focus();
      }}
      onCloseAutoFocus={(event) => event.preventDefault()}
      {...(onEscape && { onEscapeKeyDown: onEscape })}
      {...(onKeyDown && { onKeyDown })}
      className={frameStyles}
    >
      {title === null ? null : <Radix.Title className="sr-only">{title}</Radix.Title>}
      {children}
    </Modal>
  );
}

export function CaseSkeleton() {
  return (
    <div aria-busy="true" className="flex grow flex-col">
      <div className="flex h-16 items-center gap-3 border-b border-line px-5">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-4 w-44" />
      </div>
      <div className="grid grow gap-5 p-5 xl:grid-cols-[272px_minmax(0,1fr)_290px]">
        <Skeleton className="h-72 w-full max-xl:h-24" />
        <Skeleton className="h-full min-h-60 w-full" />
        <Skeleton className="h-72 w-full max-xl:hidden" />
      </div>
    </div>
  );
}

export const CaseOpening = () => (
  <CaseFrame title="Identity check">
    <CaseSkeleton />
  </CaseFrame>
);

export const CaseMissing = ({ onRetry, retrying }: MissingProps) => (
  <CaseFrame title="Identity check">
    <ErrorState title="This section failed to load" onRetry={onRetry} retrying={retrying} />
  </CaseFrame>
);
