/** Waits for work that no signal ends by itself. */

/**
 * The result of `work` if it comes before the signal. One that comes later goes to `late`, and a failure that comes later is ignored.
 * @throws what `refusal` makes when the signal comes first, or what `work` throws
 */
export function beforeAbort<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  refusal: () => Error,
  late: (result: Result) => void = () => {},
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      work.then(late, () => {});
      reject(refusal());
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
