/** The server's public configuration, for a page that shows it. */
import type { PublicConfig } from '@fulcrum/contract';
import { useCallback, useEffect, useState } from 'react';
import { log } from '../log/log.ts';
import { loadServerConfig } from './config.ts';

export type ServerConfigState =
  | { readonly status: 'loading' | 'failed' }
  | { readonly status: 'ready'; readonly config: PublicConfig };

export function useServerConfig(): { readonly known: ServerConfigState; readonly retry: () => void } {
  const [known, setKnown] = useState<ServerConfigState>({ status: 'loading' });
  const load = useCallback(() => {
    setKnown({ status: 'loading' });
    loadServerConfig().then(
      (config) => setKnown({ status: 'ready', config }),
      (cause: unknown) => {
        log.warn('The server configuration could not be read', cause);
        setKnown({ status: 'failed' });
      },
    );
  }, []);
  useEffect(load, [load]);
  return { known, retry: load };
}
