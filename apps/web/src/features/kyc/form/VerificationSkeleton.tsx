/** Placeholder of steps, banner and form until the status is known. */
import { Skeleton } from '../../../shared/ui/index.ts';

export function VerificationSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-5">
      <span className="sr-only">Loading the verification</span>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}
