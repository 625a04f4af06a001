/** What the server says about itself, for a page that shows it. */
import { useCallback, useEffect, useState } from 'react';
import { log } from '../log/log.ts';
import { type ServerConfig, serverConfig } from './config.ts';

export type KnownConfig =
  | { readonly status: 'loading' | 'failed' }
  | { readonly status: 'ready'; readonly config: ServerConfig };

export function useServerConfig(): { readonly known: KnownConfig; readonly retry: () => void } {
  const [known, setKnown] = useState<KnownConfig>({ status: 'loading' });
  const ask = useCallback(() => {
    setKnown({ status: 'loading' });
    serverConfig().then(
      (config) => setKnown({ status: 'ready', config }),
      (cause: unknown) => {
        log.warn('The server did not say anything about itself', cause);
        setKnown({ status: 'failed' });
      },
    );
  }, []);
  useEffect(ask, [ask]);
  return { known, retry: ask };
}
