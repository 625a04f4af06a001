/**
 * An entry's formatted text, in the list and in the form's preview. The Markdown renderer is loaded with the first
 * text.
 */
import { lazy, Suspense } from 'react';
import { Skeleton } from '../../shared/ui/index.ts';

const EntryMarkdown = lazy(() => import('./EntryMarkdown.tsx'));

export function EntryContent({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<Skeleton className="h-16 w-full" />}>
      <EntryMarkdown text={text} />
    </Suspense>
  );
}
