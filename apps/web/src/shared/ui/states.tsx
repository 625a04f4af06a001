/**
 * Placeholders of a panel: a skeleton in the final shape, an empty state with the next step, and an error that names what
 * failed and offers a retry.
 */
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';

/** One shimmering bar; its size comes from `className`. */
export function Skeleton({ className = '' }: { readonly className?: string }) {
  return <span aria-hidden="true" className={`shimmer inline-block align-middle ${className}`} />;
}

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div data-empty className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <p className="text-14 font-medium">{title}</p>
      {children ? <div className="max-w-prose text-13 text-text-2">{children}</div> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  );
}

interface ErrorStateProps {
  /** What failed, in the specification's text. */
  readonly title: string;
  readonly detail?: string | undefined;
  readonly onRetry: () => void;
  readonly retrying?: boolean;
  /** `line` puts everything side by side, for low places. */
  readonly shape?: 'column' | 'line';
}

export function ErrorState({ title, detail, onRetry, retrying = false, shape = 'column' }: ErrorStateProps) {
  if (shape === 'line') {
    return (
      <div role="alert" className="flex items-center gap-3 px-4">
        <TriangleAlert size={20} aria-hidden="true" className="shrink-0 text-down" />
        <p className="text-13">{title}</p>
        <Button onClick={onRetry} pending={retrying}>
          Retry
        </Button>
      </div>
    );
  }
  return (
    <div role="alert" className="flex flex-col items-center gap-1 px-6 py-12 text-center">
      <TriangleAlert size={20} aria-hidden="true" className="mb-1 text-down" />
      <p className="text-14 font-medium">{title}</p>
      {detail ? <p className="max-w-prose text-13 text-text-2">{detail}</p> : null}
      <Button className="mt-3" onClick={onRetry} pending={retrying}>
        Retry
      </Button>
    </div>
  );
}

/** An error of a form, below its button, announced at once. */
export function FormError({ children, id }: { readonly children: string | null; readonly id?: string }) {
  return (
    <div role="alert" id={id} className="empty:hidden">
      {children === null ? null : (
        <p className="flex items-start gap-2 text-13 text-down">
          <TriangleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
          {children}
        </p>
      )}
    </div>
  );
}
