/**
 * The column that login, registration and reset share. It asks the server for its configuration first: one that is away is
 * named before somebody has typed a password, and what was typed meanwhile stays. The client, which weighs more than the
 * page, comes with the first touch of the form (useSubmission).
 */
import Info from 'lucide-react/icons/info';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { type ServerConfig, serverConfig } from '../../shared/supabase/config.ts';
import { ErrorState } from '../../shared/ui/index.ts';
import { StepColumn } from './Step.tsx';

type Connection =
  | { readonly status: 'connecting' | 'failed' }
  | { readonly status: 'ready'; readonly config: ServerConfig };

export function useConnection() {
  const [connection, setConnection] = useState<Connection>({ status: 'connecting' });
  const connect = useCallback(async () => {
    setConnection({ status: 'connecting' });
    try {
      setConnection({ status: 'ready', config: await serverConfig() });
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

/** A link beside a form, as high as a finger needs it on a phone. */
export const wayOutLook = 'py-1 font-medium text-accent hover:underline max-md:py-3';

interface AuthColumnProps {
  readonly title: string;
  readonly lead: string;
  readonly connection: Connection;
  readonly onRetry: () => Promise<void>;
  /** How many fields the form has: how far above the middle of the window it begins. */
  readonly fields: number;
  readonly children: ReactNode;
  /** Beneath everything, because it may come late. */
  readonly foot?: ReactNode;
}

export function AuthColumn({ title, lead, connection, onRetry, fields, children, foot }: AuthColumnProps) {
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
      {foot}
    </StepColumn>
  );
}
