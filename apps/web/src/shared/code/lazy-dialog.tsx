/** A dialog whose code loads when it first opens. A dialog with Retry replaces code that failed to load. */
import { type ComponentType, Suspense } from 'react';
import { dialogFallback } from '../ui/dialog-fallback.tsx';
import { Dialog, ErrorState } from '../ui/index.ts';
import { type LoadCode, lazyCode, type MissingProps } from './lazy-code.tsx';

interface Closable {
  readonly onClose: () => void;
}

/** `title` and `failed` are the texts of the replacement. */
export function lazyDialog<Props extends Closable>(
  load: LoadCode<Props>,
  title: string,
  failed: string,
): ComponentType<Props> {
  const Missing = ({ onClose, onRetry, retrying }: Closable & MissingProps) => (
    <Dialog open onOpenChange={(isOpen) => isOpen || onClose()} title={title}>
      <ErrorState title={failed} onRetry={onRetry} retrying={retrying} />
    </Dialog>
  );
  const Code = lazyCode<Props>(load, 'part', Missing);
  return (props) => (
    <Suspense fallback={dialogFallback}>
      <Code {...props} />
    </Suspense>
  );
}
