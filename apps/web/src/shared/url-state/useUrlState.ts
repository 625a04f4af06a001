/**
 * The part of the URL that a definition describes, and its change. A change builds on the current URL: another part of the page
 * may have changed it since the last render. A change of the current history entry shows at once and the URL follows: a checkbox
 * must not lose its mark while the router navigates. A new entry is a transition of the router. Hash and scroll position stay.
 */
import { useCallback, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { UrlState } from './define-url-state.ts';

/** Navigation state of a URL change that only records what is already visible, such as an expanded entry. */
const urlStateChange = { isUrlState: true } as const;

export const isUrlStateChange = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isUrlState' in state && state.isUrlState === true;

export interface UrlChange {
  /** Whether Back undoes the change. By default it replaces the history entry, so that a letter is no step back. */
  readonly step?: 'new' | 'same';
  /** Parameters that go with the change, by their whole names. */
  readonly removes?: (parameter: string) => boolean;
}

export function useUrlState<State extends object>({ parse, write }: UrlState<State>, prefix = '') {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const inUrl = useMemo(() => parse(params, prefix), [parse, params, prefix]);
  const [pending, setPending] = useState<{
    readonly since: URLSearchParams;
    readonly state: State;
  } | null>(null);
  const change = useCallback(
    (
      next: Partial<State> | ((held: State) => Partial<State>),
      { step = 'same', removes = () => false }: UrlChange = {},
    ) => {
      const current = new URLSearchParams(window.location.search);
      const changes = typeof next === 'function' ? next(parse(current, prefix)) : next;
      const others = new URLSearchParams([...current].filter(([name]) => !removes(name)));
      const written = write(others, changes, prefix);
      if (step === 'same') setPending({ since: params, state: parse(written, prefix) });
      if (`${written}` === `${current}`) return;
      void navigate(
        { search: `${written}`, hash: window.location.hash },
        { replace: step === 'same', preventScrollReset: true, state: urlStateChange },
      );
    },
    [navigate, params, parse, prefix, write],
  );
  return [pending?.since === params ? pending.state : inUrl, change] as const;
}
