/** Button that applies the changes waiting while rows are frozen. The focus moves to the list when none are left. */
import { Button } from '../ui/index.ts';
import { restoreFocusOnUnmount } from '../widget/index.ts';

interface WaitingChangesProps {
  readonly count: number;
  readonly onShow: () => void;
}

export function WaitingChanges({ count, onShow }: WaitingChangesProps) {
  if (count === 0) return null;
  return (
    <span ref={restoreFocusOnUnmount}>
      <Button size="compact" onClick={onShow}>
        {count === 1 ? 'Show 1 change' : `Show ${count} changes`}
      </Button>
    </span>
  );
}
