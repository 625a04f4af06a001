/** A hash or a fingerprint with what it is of, to copy. */
import type { ReactNode } from 'react';
import { CopyButton } from '../../shared/copy/CopyButton.tsx';

interface HashLineProps {
  readonly hash: string;
  /** What is copied. */
  readonly label: string;
  /** The text before it. */
  readonly children: ReactNode;
}

export function HashLine({ hash, label, children }: HashLineProps) {
  return (
    <div className="flex items-center gap-2 border-t border-line px-4 py-2 text-12 text-text-3">
      <p className="min-w-0 grow">
        {children} <code className="wrap-anywhere text-text-2">{hash}</code>
      </p>
      <CopyButton text={hash} label={label} />
    </div>
  );
}
