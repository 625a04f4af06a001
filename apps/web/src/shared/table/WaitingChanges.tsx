/** Button that shows the changes which wait while rows keep their place. The focus moves to the list when none are left. */
import { formatFigure } from '../numbers/index.ts';
import { Button } from '../ui/index.ts';
import { restoreFocusOnUnmount } from '../widget/index.ts';

interface WaitingChangesProps {
  readonly count: number;
  readonly onShow: () => void;
  /** The names of one change and of several. */
  readonly what?: readonly [one: string, many: string];
  readonly pending?: boolean;
  readonly className?: string;
}

export function WaitingChanges(props: WaitingChangesProps) {
  const { count, onShow, what = ['change', 'changes'], pending = false, className = '' } = props;
  if (count === 0) return null;
  return (
    <span ref={restoreFocusOnUnmount} className={className}>
      <Button size="compact" onClick={onShow} pending={pending}>
        {`Show ${formatFigure(count, 0)} ${count === 1 ? what[0] : what[1]}`}
      </Button>
    </span>
  );
}
