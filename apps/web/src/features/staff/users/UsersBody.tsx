/** The rows, or the reason why there are none: loading, no users, no matches, or a failed request. */
import { texts } from '@fulcrum/contract/texts';
import type { ComponentProps } from 'react';
import { Button, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { restoreFocusOnUnmount } from '../../../shared/widget/index.ts';
import { UserRows } from './UserRows.tsx';
import { isNarrowed } from './users-query.ts';

interface UsersBodyProps extends ComponentProps<typeof UserRows> {
  readonly failure: { readonly onRetry: () => void; readonly isRetrying: boolean } | null;
  readonly onClear: () => void;
  readonly onAdd: () => void;
}

const heights = { full: 'min-h-[320px]', plain: 'min-h-[180px]' } as const;

export function UsersBody({ failure, onClear, onAdd, ...shown }: UsersBodyProps) {
  const { rows, query, variant } = shown;
  const className = `grid place-items-center ${heights[variant]}`;
  if (rows === undefined && failure) {
    return (
      <div className={className}>
        <ErrorState title={texts.loadUsersFailed} onRetry={failure.onRetry} retrying={failure.isRetrying} />
      </div>
    );
  }
  if (rows?.length === 0 && isNarrowed(query)) {
    return (
      <div className={className}>
        <EmptyState
          title="No users match these filters"
          action={
            <span ref={restoreFocusOnUnmount}>
              <Button onClick={onClear}>Clear filters</Button>
            </span>
          }
        >
          Remove a filter or search for something else.
        </EmptyState>
      </div>
    );
  }
  if (rows?.length === 0) {
    return (
      <div className={className}>
        <EmptyState title="No users yet" action={<Button onClick={onAdd}>Add User</Button>}>
          Traders who register and users you add appear here.
        </EmptyState>
      </div>
    );
  }
  return <UserRows {...shown} />;
}
