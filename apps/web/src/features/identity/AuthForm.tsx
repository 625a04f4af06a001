/**
 * The column that login, registration and reset share. It reads the server's configuration first, so that an
 * unreachable server is reported before the user types a password; input typed meanwhile stays. The client is larger
 * than the page and loads with the first interaction (`preloadClient`).
 */
import type { PublicConfig } from '@fulcrum/contract';
import Info from 'lucide-react/icons/info';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { openClient } from '../../shared/session/index.ts';
import { loadServerConfig } from '../../shared/supabase/config.ts';
import { ErrorState } from '../../shared/ui/index.ts';
import { StepColumn } from './StepColumn.tsx';

type Connection =
  | { readonly status: 'connecting' | 'failed' }
  | { readonly status: 'ready'; readonly config: PublicConfig };

/** Loads the client's code early, so that sending does not wait for it. */
export function preloadClient(): void {
  openClient().catch((cause: unknown) => log.warn('The client could not be preloaded', cause));
}

export function useConnection() {
  const [connection, setConnection] = useState<Connection>({ status: 'connecting' });
  const connect = useCallback(async () => {
    setConnection({ status: 'connecting' });
    try {
      setConnection({ status: 'ready', config: await loadServerConfig() });
    } catch (cause) {
      log.warn('The server does not answer', cause);
      setConnection({ status: 'failed' });
    }
  }, []);
  useEffect(() => {
    connect().catch((cause: unknown) => log.error('Connecting failed', cause));
  }, [connect]);
  return { connection, connect };
}

/** A link beside a form, with the height of a touch target on a phone. */
export const secondaryLinkStyles = 'py-1 font-medium text-accent hover:underline max-md:py-3';

interface AuthColumnProps {
  readonly title: string;
  readonly lead: string;
  readonly connection: Connection;
  readonly onRetry: () => Promise<void>;
  /** The number of fields, which sets how far above the middle of the window the form begins. */
  readonly fields: number;
  readonly children: ReactNode;
  /** Beneath everything, because it may load late. */
  readonly footer?: ReactNode;
}

export function AuthColumn({ title, lead, connection, onRetry, fields, children, footer }: AuthColumnProps) {
  const retry = () => {
    onRetry().catch((cause: unknown) => log.error('Connecting failed', cause));
  };
  return (
    <StepColumn fields={fields}>
      <title>{`${title} · Fulcrum`}</title>
      <h1 className="text-28 font-semibold tracking-[-0.02em]">{title}</h1>
      <p className="mt-1.5 mb-8 text-14 text-text-2">{lead}</p>
      {connection.status === 'failed' ? (
        <div className="panel">
          <ErrorState
            title="The server does not answer"
            detail="Is it running? Nothing was sent."
            onRetry={retry}
          />
        </div>
      ) : null}
      <div hidden={connection.status === 'failed'}>{children}</div>
      <p className="mt-8 flex gap-3 border-t border-line pt-4 text-12 text-text-2">
        <Info size={14} aria-hidden="true" className="mt-[3px] shrink-0 text-warn" />
        Fulcrum is a simulator. No order reaches a market and no balance is worth money.
      </p>
      {footer}
    </StepColumn>
  );
}
