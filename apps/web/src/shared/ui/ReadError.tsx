/** The error of a read that failed; its button reads again. */
import type { ComponentProps } from 'react';
import { ErrorState } from './states.tsx';

interface ReadErrorProps extends Omit<ComponentProps<typeof ErrorState>, 'onRetry' | 'retrying'> {
  readonly reading: { readonly refetch: () => unknown; readonly isFetching: boolean };
}

export const ReadError = ({ reading, ...state }: ReadErrorProps) => (
  <ErrorState {...state} onRetry={() => void reading.refetch()} retrying={reading.isFetching} />
);
