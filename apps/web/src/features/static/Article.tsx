/** A page of plain text. */
import type { ReactNode } from 'react';

interface ArticleProps {
  readonly title: string;
  readonly updated?: string;
  readonly children: ReactNode;
}

export function Article({ title, updated, children }: ArticleProps) {
  return (
    <article className="mx-auto w-full max-w-2xl px-6 py-16 max-md:px-4 max-md:py-10">
      <title>{`${title} · Fulcrum`}</title>
      <h1 className="text-28 font-semibold tracking-[-0.02em]">{title}</h1>
      {updated === undefined ? null : (
        <p className="mt-1 text-12 text-text-3">{`Last updated: ${updated}`}</p>
      )}
      <div className="mt-6 flex flex-col gap-4 text-14 leading-6 text-text-2 [&_h2]:mt-3 [&_h2]:text-16 [&_h2]:font-semibold [&_h2]:text-text">
        {children}
      </div>
    </article>
  );
}
