/** The foot of the screen: the feed and its state, the price's age, what kind of trading this is, the time. */
import { useCallback } from 'react';
import { formatAge, LiveText, type Pair, useFeedState, usePriceStream, useSampled } from '../market/index.ts';

const feedNames = {
  simulated: 'Simulated feed',
  replay: 'Recorded day',
  binance: 'Binance',
  yahoo: 'Yahoo',
} as const;
const states = {
  connecting: { text: 'connecting', colour: 'bg-warn' },
  live: { text: 'connected', colour: 'bg-up' },
  silent: { text: 'no prices come', colour: 'bg-down' },
} as const;

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
const readClock = () => `${dateAndTime.format(Date.now()).replaceAll(',', '')} UTC`;

export function StatusBar({ pair }: { readonly pair: Pair }) {
  const stream = usePriceStream();
  const state = states[useFeedState()];
  const { symbol } = pair;
  const source = useSampled(symbol, () => stream.latest(symbol)?.source ?? null);
  const readAge = useCallback(() => {
    const age = stream.ageMs(symbol);
    return Number.isFinite(age) ? `Updated ${formatAge(age)} ago` : '';
  }, [stream, symbol]);
  return (
    <footer className="sticky bottom-0 z-10 flex h-6 shrink-0 items-center gap-5 border-t border-line bg-surface px-3 text-11 text-text-3 max-md:hidden">
      <span role="status" className="flex items-center gap-1.5">
        <span aria-hidden="true" className={`size-1.5 rounded-full ${state.colour}`} />
        {source === null ? 'Feed' : feedNames[source]} · {state.text}
      </span>
      <LiveText read={readAge} />
      <span className="ml-auto">Paper trading, no real money</span>
      <LiveText read={readClock} className="max-lg:hidden" />
    </footer>
  );
}
