/** States in a form that another user has saved a newer version meanwhile. Each newer one takes the focus, and is announced. */
import { texts } from '@fulcrum/contract/texts';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/index.ts';

interface ConflictNoticeProps {
  /** Of the newer version. */
  readonly version: number;
  /** Drops the user's entries; null where they match the newer version. */
  readonly onDiscard: (() => void) | null;
  readonly discardLabel: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function ConflictNotice(props: ConflictNoticeProps) {
  const { version, onDiscard, discardLabel, className = '', children } = props;
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each newer version takes the focus
  useEffect(() => box.current?.focus(), [version]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-control bg-warn-weak px-3 py-2 text-12 outline-none ${className}`}
    >
      <TriangleAlert size={16} aria-hidden="true" className="shrink-0 text-warn" />
      <p className="min-w-48 flex-1">
        <strong className="font-semibold">{texts.changedMeanwhile}</strong> {children}
      </p>
      {onDiscard === null ? null : (
        <Button size="compact" onClick={onDiscard}>
          {discardLabel}
        </Button>
      )}
    </div>
  );
}
