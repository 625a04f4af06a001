/**
 * A status line at the bottom of the screen while the server is unreachable, prices are silent or trading is halted: over the
 * status bar, on a phone over the upper edge of the bottom navigation. It moves no layout and never covers the order form.
 * Screen readers hear a change once, and not the counting seconds.
 */
import { texts } from '@fulcrum/contract/texts';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import Clock from 'lucide-react/icons/clock';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useEffect, useState } from 'react';
import { getSilentSince, isTradingHalted } from '../../features/market/prices/frames.ts';
import { type Connection, useConnection } from '../../shared/realtime/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { formatClockWithSeconds } from '../../shared/time/dates.ts';
import { Spinner } from '../../shared/ui/index.ts';

function SecondsSince({ ms }: { readonly ms: number }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>{`${Math.max(0, Math.floor((nowMs - ms) / 1_000))} s`}</>;
}

/** On a phone only the first half is shown. */
function StaleWarning({ children }: { readonly children: string }) {
  return (
    <>
      {children}
      <span className="max-md:hidden">. What you see may be old.</span>
    </>
  );
}

interface ConnectionText {
  readonly icon: ReactNode;
  readonly tone: string;
  /** Announced once by screen readers. */
  readonly announcement: string;
  readonly shown: ReactNode;
}

function describeConnection(connection: Exclude<Connection, { state: 'connected' }>): ConnectionText {
  switch (connection.state) {
    case 'offline':
      return {
        icon: <WifiOff size={14} aria-hidden="true" />,
        tone: 'text-warn',
        announcement: 'You are offline. What you see may be old.',
        shown: (
          <StaleWarning>{`You are offline since ${formatClockWithSeconds(connection.sinceMs, 'UTC')} UTC`}</StaleWarning>
        ),
      };
    case 'reconnecting':
      return {
        icon: <Spinner size={14} />,
        tone: 'text-warn',
        announcement: 'Reconnecting. What you see may be old.',
        shown: (
          <StaleWarning>{`Reconnecting… since ${formatClockWithSeconds(connection.sinceMs, 'UTC')} UTC`}</StaleWarning>
        ),
      };
    case 'silent':
      return {
        icon: <Clock size={14} aria-hidden="true" />,
        tone: 'text-warn',
        announcement: 'Prices do not move.',
        shown: (
          <>
            Prices have not moved for <SecondsSince ms={connection.sinceMs} />
          </>
        ),
      };
    case 'halted':
      return {
        icon: <CirclePause size={14} aria-hidden="true" />,
        tone: 'text-warn',
        announcement: texts.tradingHalted,
        shown: (
          <>
            <span className="md:hidden">Trading is halted</span>
            <span className="max-md:hidden">{texts.tradingHalted}</span>
          </>
        ),
      };
    case 'back':
      return {
        icon: <CircleCheck size={14} aria-hidden="true" />,
        tone: 'text-up',
        announcement: 'Connected again',
        shown: 'Connected again',
      };
  }
}

const marketStatus = { silentSince: getSilentSince, isTradingHalted };

export function ConnectionLine() {
  const { accountId } = useSignedIn();
  const connection = useConnection(accountId, marketStatus);
  const text = connection.state === 'connected' ? null : describeConnection(connection);
  return (
    <>
      <p role="status" aria-label="Connection" className="sr-only">
        {text?.announcement}
      </p>
      {text === null ? null : (
        <div
          aria-hidden="true"
          data-connection={connection.state}
          className="fade pointer-events-none fixed inset-x-0 bottom-0 z-20 flex h-6 items-center gap-2 border-t border-line bg-raised px-3 text-12 max-md:bottom-(--bottom-nav-height) max-md:h-7 max-md:justify-center"
        >
          <span className={`inline-flex ${text.tone}`}>{text.icon}</span>
          <span className="figures truncate">{text.shown}</span>
        </div>
      )}
    </>
  );
}
