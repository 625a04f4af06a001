/** The texts of the status line. Their code is fetched while the server answers. */
import { texts } from '@fulcrum/contract/texts';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePause from 'lucide-react/icons/circle-pause';
import Clock from 'lucide-react/icons/clock';
import WifiOff from 'lucide-react/icons/wifi-off';
import { type ReactNode, useEffect, useState } from 'react';
import type { Connection } from '../../shared/realtime/index.ts';
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

type Interrupted = Exclude<Connection, { state: 'connected' }>;

function describeConnection(connection: Interrupted): ConnectionText {
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

interface ConnectionTextProps {
  readonly connection: Interrupted;
  /** What a screen reader hears, or the line on the screen. */
  readonly as: 'announcement' | 'line';
}

export default function ConnectionText({ connection, as }: ConnectionTextProps) {
  const { announcement, icon, tone, shown } = describeConnection(connection);
  if (as === 'announcement') return announcement;
  return (
    <>
      <span className={`inline-flex ${tone}`}>{icon}</span>
      <span className="figures truncate">{shown}</span>
    </>
  );
}
