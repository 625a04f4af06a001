/** In place of a section of a contest whose read failed. */
import type { Reading } from '../../shared/table/index.ts';
import { ReadError } from '../../shared/ui/index.ts';

interface FailedProofProps {
  /** The section's heading. */
  readonly of: string;
  /** `Failed to load the result`. */
  readonly title: string;
  readonly reading: Reading;
}

export function FailedProof({ of, title, reading }: FailedProofProps) {
  return (
    <section aria-label={of} className="panel py-3">
      <ReadError title={title} shape="line" reading={reading} />
    </section>
  );
}
