/**
 * The name of an estimate with a dashed underline. It opens a panel with the formula and the same formula with current figures.
 */
import type { ReactNode } from 'react';
import { Popover, usePhone } from '../ui/index.ts';
import type { Explanation } from './explanation.ts';

interface ExplainedProps {
  readonly name: string;
  /** Rendered only while the panel is open. */
  readonly children: ReactNode;
}

export function Explained({ name, children }: ExplainedProps) {
  // A wide screen has space beside the figure; on a phone the panel opens above it.
  const side = usePhone() ? 'top' : 'left';
  return (
    <Popover
      label={name}
      side={side}
      trigger={
        <button
          type="button"
          className="min-h-6 min-w-6 text-left rounded-[4px] text-12 whitespace-nowrap text-text-2 hover:text-text max-md:relative max-md:min-h-8 max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-1.5"
        >
          <span className="border-b border-dashed border-line-control">{name}</span>
          <span className="sr-only"> (show the formula)</span>
        </button>
      }
    >
      {children}
    </Popover>
  );
}

/** `missing` names what the figures wait for. */
export function ExplanationText({
  name,
  explanation: { formula, figures, note },
  missing,
}: {
  readonly name: string;
  readonly explanation: Explanation;
  readonly missing: string;
}) {
  return (
    <div className="flex flex-col gap-2">
      <p className="font-semibold">{name}</p>
      <p className="figures text-text-2">{formula}</p>
      <p className="figures min-h-5 font-medium">{figures ?? missing}</p>
      <p className="text-12 text-text-2">{note}</p>
    </div>
  );
}
