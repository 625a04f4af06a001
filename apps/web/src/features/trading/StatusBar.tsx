/** The status bar: the feed and its state, the price's age, the round trip, the kind of trading, and the time. */
import { type ReactNode, useCallback } from 'react';
import { formatFigure } from '../../shared/numbers/index.ts';
import { formatAge } from '../../shared/time/age.ts';
import { formatDatedClockWithSeconds } from '../../shared/time/dates.ts';
import { LiveText } from '../../shared/time/LiveText.tsx';
import { getReplayClock, type Pair, useFeedState, usePriceStream, useSampled } from '../market/index.ts';
import { formatRecordedTime } from './recorded-time.ts';
import { getRoundTripMs } from './round-trip.ts';

const feedNames = {
  simulated: 'Simulated feed',
  replay: 'Recorded day',
  binance: 'Binance',
  yahoo: 'Yahoo',
} as const;
const states = {
  connecting: { text: 'connecting', colour: 'bg-warn' },
  live: { text: 'connected', colour: 'bg-up' },
  silent: { text: 'no prices arrive', colour: 'bg-down' },
} as const;

const clockText = (at: number) => `${formatDatedClockWithSeconds(at, 'UTC').replaceAll(',', '')} UTC`;
const readWallClock = () => clockText(Date.now());

function readRoundTrip(): string {
  const ms = getRoundTripMs();
  return ms === null ? '' : `Round trip ${formatFigure(ms, 0)} ms`;
}

interface StatusBarProps {
  readonly pair: Pair;
  /** Shown beside the clock, such as the button that opens the list of keys. */
  readonly children?: ReactNode;
}

export function StatusBar({ pair, children }: StatusBarProps) {
  const stream = usePriceStream();
  const state = states[useFeedState()];
  const { symbol } = pair;
  const source = useSampled(symbol, () => stream.latest(symbol)?.source ?? null);
  const readAge = useCallback(() => {
    const age = stream.ageMs(symbol);
    return Number.isFinite(age) ? `Updated ${formatAge(age)} ago` : '';
  }, [stream, symbol]);
  // During a replay, the clock shows the market's time.
  const readClock = useCallback(
    () => formatRecordedTime(clockText(stream.marketNow(symbol)), getReplayClock()),
    [stream, symbol],
  );
  return (
    <footer className="sticky bottom-0 z-10 flex h-6 shrink-0 items-center gap-5 border-t border-line bg-surface px-3 text-11 text-text-3 max-md:hidden">
      <span role="status" className="flex items-center gap-1.5">
        <span aria-hidden="true" className={`size-1.5 rounded-full ${state.colour}`} />
        {source === null ? 'Feed' : feedNames[source]} · {state.text}
      </span>
      <LiveText read={readAge} />
      <span title="The last request to this server, until its answer began" className="max-lg:hidden">
        <LiveText read={readRoundTrip} />
      </span>
      <span className="ml-auto">Paper trading, no real money</span>
      {children}
      {source === 'replay' ? (
        <LiveText read={readClock} />
      ) : (
        <LiveText read={readWallClock} className="max-lg:hidden" />
      )}
    </footer>
  );
}
