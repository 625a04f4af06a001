/** An entry's text as it is read, in the list and in the form's preview; what lays it out is fetched when there is one to show. */
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
