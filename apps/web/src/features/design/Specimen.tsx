/** The frame of a section of the design page: its name, and its samples, each labelled with its state. */
import type { ReactNode } from 'react';

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="panel p-5">
      <h2 className="mb-4 text-16 font-semibold">{title}</h2>
      <div className="flex flex-col gap-5">{children}</div>
    </section>
  );
}

export function Row({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span className="w-28 shrink-0 text-12 text-text-3">{label}</span>
      {children}
    </div>
  );
}
