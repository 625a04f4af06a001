/** The place of the list while it loads. */
import { Skeleton } from '../../shared/ui/index.ts';

export const KeysSkeleton = () => (
  <div role="status">
    <span className="sr-only">Loading</span>
    <div className="flex min-h-16 items-center gap-3.5">
      <Skeleton className="size-5" />
      <div className="grow">
        <Skeleton className="h-3 w-36" />
        <Skeleton className="block h-3 w-72 max-w-full" />
      </div>
    </div>
  </div>
);
