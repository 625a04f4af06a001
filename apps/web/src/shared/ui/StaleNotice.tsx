/** A notice beside old data after refreshing has failed, with a retry button where nothing refreshes automatically. */
import { Button } from './Button.tsx';

interface StaleNoticeProps {
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
}

export function StaleNotice({ onRetry, retrying = false }: StaleNoticeProps) {
  return (
    <span role="status" className="flex items-center gap-2 text-12 text-warn">
      Refreshing failed; this may be out of date.
      {onRetry ? (
        <Button size="compact" onClick={onRetry} pending={retrying}>
          Retry
        </Button>
      ) : null}
    </span>
  );
}
