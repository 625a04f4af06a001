/** Parts of a page that never rests (lazy-code.tsx has the others). */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { ErrorState } from '../ui/index.ts';
import { type LoadCause, type LoadCode, loadOrReload, type MissingProps } from './lazy-code.tsx';

export interface WaitingProps {
  /** Shown until the code has loaded. */
  readonly waiting: ReactNode;
}

/** What stands in the place of a part that could not be loaded: an error of this title, with Retry. */
export const missingPart =
  (title: string): ComponentType<MissingProps> =>
  (props) => <ErrorState {...props} title={title} />;

interface PartState<Props> {
  /** Undefined while it loads for the first time, null when it could not be loaded. */
  readonly Part: ComponentType<Props> | null | undefined;
  /** Why it is being loaded; null while it is not. */
  readonly loading: LoadCause | null;
}

/**
 * A part of a page that never rests. `Suspense` renders code that has loaded at a priority which every other update interrupts
 * and restarts: on a busy machine a large part would never appear. This part renders it in one go.
 */
export function lazyPart<Props extends object>(
  load: LoadCode<Props>,
  Missing: ComponentType<MissingProps>,
): ComponentType<Props & WaitingProps> {
  /** Later mounts show it at once. */
  let loaded: ComponentType<Props> | null = null;

  return function LazyPart({ waiting, ...props }) {
    const [{ Part, loading }, setState] = useState<PartState<Props>>(() =>
      loaded === null ? { Part: undefined, loading: 'shown' } : { Part: loaded, loading: null },
    );

    useEffect(() => {
      if (loading === null) return;
      let isLeft = false;
      void loadOrReload(load, 'part', loading).then((found) => {
        loaded = found;
        if (!isLeft) setState({ Part: found, loading: null });
      });
      return () => {
        isLeft = true;
      };
    }, [loading]);

    if (Part === undefined) return waiting;
    if (Part !== null) return <Part {...(props as unknown as Props)} />;
    const retry = () => setState({ Part: null, loading: 'retried' });
    return <Missing onRetry={retry} retrying={loading !== null} />;
  };
}
