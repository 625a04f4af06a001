/** Steps, banner and the beginning of the form, until it is known which of them there are. */
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
