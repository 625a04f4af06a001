/** In place of a section of a contest whose read failed. */
import type { Reading } from '../../shared/table/index.ts';
import { ErrorState } from '../../shared/ui/index.ts';

interface FailedProofProps {
  /** The section's heading. */
  readonly of: string;
  /** `Failed to load the result`. */
  readonly title: string;
  readonly reading: Reading;
}

export function FailedProof({ of, title, reading: { isFetching, refetch } }: FailedProofProps) {
  return (
    <section aria-label={of} className="panel py-3">
      <ErrorState title={title} shape="line" onRetry={() => void refetch()} retrying={isFetching} />
    </section>
  );
}
