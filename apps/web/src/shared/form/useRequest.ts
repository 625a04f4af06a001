/**
 * The request behind a form or a button: whether it runs, and its failure. One runs at a time: a second click may come before
 * React has rendered the first one's state.
 */
import { useCallback, useRef, useState } from 'react';
import { log } from '../log/log.ts';
import { getErrorMessage } from '../supabase/request.ts';

/** The server's reason, or `failedText` without one. Logged. */
export const failedWith =
  (failedText: string) =>
  (cause: unknown): string => {
    log.warn(failedText, cause);
    return getErrorMessage(cause, failedText);
  };

export function useRequest<Failure = string>() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<Failure | null>(null);
  const isRunning = useRef<boolean>(false);
  /**
   * Resolves with whether `action` succeeded. `action` fails by a rejection, which `toFailure` turns into the shown failure
   * (null shows none), or by resolving with a failure.
   */
  const run = useCallback(
    async (
      action: () => Promise<Failure | null | undefined>,
      toFailure: (cause: unknown) => Failure | null | Promise<Failure | null>,
    ): Promise<boolean> => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setPending(true);
      setError(null);
      try {
        const failure = (await action()) ?? null;
        setError(failure);
        return failure === null;
      } catch (cause) {
        setError(await toFailure(cause));
        return false;
      } finally {
        isRunning.current = false;
        setPending(false);
      }
    },
    [],
  );
  const isBusy = useCallback(() => isRunning.current, []);
  return { run, pending, error, setError, isBusy } as const;
}
