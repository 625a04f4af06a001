/** TRADE-17: the nine timeframes. */
import { type RefObject, useEffect, useRef } from 'react';
import { timeframeNames, timeframes } from '../../timeframes.ts';
import type { ChartDesk } from '../tools/useChartDesk.ts';

/** On a narrow screen the row scrolls; the chosen one has to be in sight. */
function useInSight(chosen: string): RefObject<HTMLFieldSetElement | null> {
  const row = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is another button
  useEffect(() => {
    const button = row.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!row.current || !button) return;
    row.current.scrollLeft = button.offsetLeft - (row.current.clientWidth - button.offsetWidth) / 2;
  }, [chosen]);
  return row;
}

export function Timeframes({ desk }: { readonly desk: ChartDesk }) {
  const { timeframe: chosen } = desk.settings;
  const row = useInSight(chosen);
  return (
    <fieldset ref={row} className="relative flex min-w-0 gap-0.5 overflow-x-auto [scrollbar-width:none]">
      <legend className="sr-only">Timeframe</legend>
      {timeframes.map((timeframe) => (
        <button
          key={timeframe}
          type="button"
          aria-pressed={timeframe === chosen}
          title={timeframeNames[timeframe]}
          onClick={() => desk.change({ timeframe })}
          className="h-7 min-w-[34px] shrink-0 rounded-control px-1.5 text-13 font-medium text-text-2 transition-colors -outline-offset-2 hover:bg-raised hover:text-text aria-pressed:bg-accent-weak aria-pressed:text-accent max-md:h-11 max-md:grow max-md:min-w-9"
        >
          {timeframe}
        </button>
      ))}
    </fieldset>
  );
}
