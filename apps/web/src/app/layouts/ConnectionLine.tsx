/**
 * One quiet line at the foot of the screen while the page does not hear from the server, or trading is halted: over the status bar, and on a phone
 * over the bottom navigation's upper edge. Nothing moves when it comes or goes, and it never stands over the order form. A
 * change is announced once; the seconds of a standing price are for the eye alone.
 */
import { texts } from '@fulcrum/contract/texts';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import Clock from 'lucide-react/icons/clock';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useEffect, useState } from 'react';
import { isTradingHalted, silentSince } from '../../features/market/prices/frames.ts';
import { type Connection, useConnection } from '../../shared/realtime/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { Spinner } from '../../shared/ui/index.ts';

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});

function SecondsSince({ ms }: { readonly ms: number }) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <>{`${Math.max(0, Math.floor((nowMs - ms) / 1_000))} s`}</>;
}

/** A phone has room for the first half. */
function Lost({ children }: { readonly children: string }) {
  return (
    <>
      {children}
      <span className="max-md:hidden">. What you see may be old.</span>
    </>
  );
}

interface Words {
  readonly icon: ReactNode;
  readonly tone: string;
  /** Heard once. */
  readonly said: string;
  readonly shown: ReactNode;
}

function wordsOf(connection: Exclude<Connection, { state: 'connected' }>): Words {
  switch (connection.state) {
    case 'offline':
      return {
        icon: <WifiOff size={14} aria-hidden="true" />,
        tone: 'text-warn',
        said: 'You are offline. What you see may be old.',
        shown: <Lost>{`You are offline since ${clock.format(connection.sinceMs)} UTC`}</Lost>,
      };
    case 'reconnecting':
      return {
        icon: <Spinner size={14} />,
        tone: 'text-warn',
        said: 'Reconnecting. What you see may be old.',
        shown: <Lost>{`Reconnecting… since ${clock.format(connection.sinceMs)} UTC`}</Lost>,
      };
    case 'silent':
      return {
        icon: <Clock size={14} aria-hidden="true" />,
        tone: 'text-warn',
        said: 'Prices do not move.',
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
        said: texts.tradingHalted,
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
        said: 'Connected again',
        shown: 'Connected again',
      };
  }
}

const heard = { silentSince, isTradingHalted };

export function ConnectionLine() {
  const { user } = useSignedIn();
  const connection = useConnection(user.id, heard);
  const words = connection.state === 'connected' ? null : wordsOf(connection);
  return (
    <>
      <p role="status" aria-label="Connection" className="sr-only">
        {words?.said}
      </p>
      {words === null ? null : (
        <div
          aria-hidden="true"
          data-connection={connection.state}
          className="fade pointer-events-none fixed inset-x-0 bottom-0 z-20 flex h-6 items-center gap-2 border-t border-line bg-raised px-3 text-12 max-md:bottom-(--bottom-nav-height) max-md:h-7 max-md:justify-center"
        >
          <span className={`inline-flex ${words.tone}`}>{words.icon}</span>
          <span className="figures truncate">{words.shown}</span>
        </div>
      )}
    </>
  );
}
