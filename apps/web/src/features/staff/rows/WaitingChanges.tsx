/** Lets in what waits while rows are held; the focus goes on to the list when there is nothing left to let in. */
import { Button } from '../../../shared/ui/index.ts';
import { passFocusOn } from '../../../shared/widget/index.ts';

interface WaitingChangesProps {
  readonly count: number;
  readonly onShow: () => void;
}

export function WaitingChanges({ count, onShow }: WaitingChangesProps) {
  if (count === 0) return null;
  return (
    <span ref={passFocusOn}>
      <Button size="compact" onClick={onShow}>
        {count === 1 ? 'Show 1 change' : `Show ${count} changes`}
      </Button>
    </span>
  );
}
