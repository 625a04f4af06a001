/** States of a table without rows: a button that leads to rows passes its focus to the table when it disappears. */
import { Button, EmptyState } from '../ui/index.ts';
import { restoreFocusOnUnmount } from '../widget/index.ts';

interface EmptyActionProps {
  readonly children: string;
  readonly onPress: () => void;
}

export function EmptyAction({ children, onPress }: EmptyActionProps) {
  return (
    <span ref={restoreFocusOnUnmount}>
      <Button onClick={onPress}>{children}</Button>
    </span>
  );
}

/** A page beyond the last one. */
export function EmptyPage({ what, onFirst }: { readonly what: string; readonly onFirst: () => void }) {
  return (
    <EmptyState
      title={`No ${what} on this page`}
      action={<EmptyAction onPress={onFirst}>First page</EmptyAction>}
    />
  );
}
