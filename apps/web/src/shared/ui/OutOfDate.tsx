/** Beside what is still shown after reading it again has failed; with a button where nothing reads it again by itself. */
import { Button } from './Button.tsx';

interface OutOfDateProps {
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
}

export function OutOfDate({ onRetry, retrying = false }: OutOfDateProps) {
  return (
    <span role="status" className="flex items-center gap-2 text-12 text-warn">
      Could not be read again; this may be out of date.
      {onRetry ? (
        <Button size="compact" onClick={onRetry} pending={retrying}>
          Retry
        </Button>
      ) : null}
    </span>
  );
}
