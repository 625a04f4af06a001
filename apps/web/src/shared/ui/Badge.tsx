/** Small labels beside the element that they qualify. */
import type { ReactNode } from 'react';

export type BadgeTone = 'neutral' | 'up' | 'down' | 'warn' | 'accent';
const tones: Record<BadgeTone, string> = {
  neutral: 'bg-line text-text-2',
  up: 'bg-up-weak text-up',
  down: 'bg-down-weak text-down',
  warn: 'bg-warn-weak text-warn',
  accent: 'bg-accent-weak text-accent',
};

export function Badge({
  tone = 'neutral',
  children,
}: {
  readonly tone?: BadgeTone;
  readonly children: ReactNode;
}) {
  // Its own ground, so that the text stays readable on a row that is marked.
  return (
    <span className="inline-flex rounded-badge bg-surface">
      <span
        className={`inline-flex h-5 items-center rounded-badge px-1.5 text-11 font-medium whitespace-nowrap ${tones[tone]}`}
      >
        {children}
      </span>
    </span>
  );
}

/** Marks a panel's content as simulated, in its header, once per panel. */
export function SimulatedBadge({ what = '' }: { readonly what?: string }) {
  return <Badge tone="warn">{`Simulated ${what}`.trim()}</Badge>;
}
