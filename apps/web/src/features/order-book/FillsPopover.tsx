/** A price that opens how it came about: every fill of an order or a position, explained (A114). */
import type { ReactNode } from 'react';
import { Popover, Skeleton } from '../../shared/ui/index.ts';
import type { FillsOf } from './fills-query.ts';
import { Fills } from './lazy-parts.tsx';

interface FillsPopoverProps {
  readonly of: FillsOf;
  readonly children: ReactNode;
}

export function FillsPopover({ of, children }: FillsPopoverProps) {
  return (
    <Popover
      label="Fills"
      side="top"
      trigger={
        <button
          type="button"
          title="How was this filled?"
          className="relative rounded-[4px] border-b border-dashed border-line-control after:absolute after:-inset-x-1 after:-inset-y-2 hover:text-accent"
        >
          {children}
        </button>
      }
    >
      <Fills of={of} waiting={<Skeleton className="h-16 w-64" />} />
    </Popover>
  );
}
