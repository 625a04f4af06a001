/** The figures of an action in the confirmation before it, one per line. */
import type { ReactNode } from 'react';

export function FigureLines({ children }: { readonly children: ReactNode }) {
  return <dl className="flex flex-col gap-1 text-13">{children}</dl>;
}

export function FigureLine({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-text-2">{label}</dt>
      <dd className="text-right font-medium">{children}</dd>
    </div>
  );
}
