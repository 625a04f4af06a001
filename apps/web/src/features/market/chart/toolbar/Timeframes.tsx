/** The row of buttons that chooses one of the nine timeframes of the chart (TRADE-17). */
import { timeframes } from '@fulcrum/domain';
import { type RefObject, useEffect, useRef } from 'react';
import { timeframeNames } from '../../timeframes.ts';
import type { ChartController } from '../tools/useChartController.ts';

/** On a narrow screen the row scrolls; the chosen button is scrolled into view. */
function useScrollIntoView(chosen: string): RefObject<HTMLFieldSetElement | null> {
  const row = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice renders another button
  useEffect(() => {
    const button = row.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (!row.current || !button) return;
    row.current.scrollLeft = button.offsetLeft - (row.current.clientWidth - button.offsetWidth) / 2;
  }, [chosen]);
  return row;
}

export function Timeframes({ controller }: { readonly controller: ChartController }) {
  const { timeframe: chosen } = controller.settings;
  const row = useScrollIntoView(chosen);
  return (
    <fieldset ref={row} className="relative flex min-w-0 gap-0.5 overflow-x-auto [scrollbar-width:none]">
      <legend className="sr-only">Timeframe</legend>
      {timeframes.map((timeframe) => (
        <button
          key={timeframe}
          type="button"
          aria-pressed={timeframe === chosen}
          title={timeframeNames[timeframe]}
          onClick={() => controller.change({ timeframe })}
          className="h-7 min-w-[34px] shrink-0 rounded-control px-1.5 text-13 font-medium text-text-2 transition-colors -outline-offset-2 hover:bg-raised hover:text-text aria-pressed:bg-accent-weak aria-pressed:text-accent max-md:h-11 max-md:grow max-md:min-w-9"
        >
          {timeframe}
        </button>
      ))}
    </fieldset>
  );
}
