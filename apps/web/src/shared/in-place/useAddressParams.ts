/**
 * The router's `useSearchParams` for a page on which several parts write to the address: a change builds on what the address
 * says now. The router's own hands out what the last rendering saw, so that of two changes before the next one (a day and what
 * was typed into a search a moment before) the second would take the first back.
 */
import { useCallback } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

type Change = (held: URLSearchParams) => URLSearchParams;

export function useAddressParams() {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (next: Change, options?: NavigateOptions) =>
      setParams(next(new URLSearchParams(window.location.search)), options),
    [setParams],
  );
  return [params, change] as const;
}
