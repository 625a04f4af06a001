/** The rows, or why there are none: still loading, nobody there, nobody who matches, or a list that could not be read. */
import { texts } from '@fulcrum/contract/texts';
import type { ComponentProps } from 'react';
import { Button, EmptyState, ErrorState } from '../../../shared/ui/index.ts';
import { passFocusOn } from '../../../shared/widget/index.ts';
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
  const place = `grid place-items-center ${heights[variant]}`;
  if (rows === undefined && failure) {
    return (
      <div className={place}>
        <ErrorState title={texts.loadUsersFailed} onRetry={failure.onRetry} retrying={failure.isRetrying} />
      </div>
    );
  }
  if (rows?.length === 0 && isNarrowed(query)) {
    return (
      <div className={place}>
        <EmptyState
          title="No user matches"
          action={
            <span ref={passFocusOn}>
              <Button onClick={onClear}>Clear filters</Button>
            </span>
          }
        >
          Nobody has all that is asked for.
        </EmptyState>
      </div>
    );
  }
  if (rows?.length === 0) {
    return (
      <div className={place}>
        <EmptyState title="Nobody here yet" action={<Button onClick={onAdd}>Add User</Button>}>
          Traders who register and people whom you add appear here.
        </EmptyState>
      </div>
    );
  }
  return <UserRows {...shown} />;
}
