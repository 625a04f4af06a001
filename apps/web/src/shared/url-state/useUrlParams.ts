/**
 * The router's `useSearchParams` for a page on which several parts write to the URL: a change builds on the current URL. The
 * router's own hook builds on the last render, so that the second of two changes before the next render would revert the first.
 */
import { useCallback } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

type ParamsUpdate = (held: URLSearchParams) => URLSearchParams;

export function useUrlParams() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (next: ParamsUpdate, options?: NavigateOptions) =>
      setParams(next(new URLSearchParams(window.location.search)), options),
    [setParams],
  );
  return [params, change] as const;
}
