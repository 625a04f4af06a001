/**
 * DASH-17, DASH-18: the sixteen crypto markets with the largest volume × price as a treemap, coloured by their change of 24
 * hours, and the same figures as a table. Both show the last ranking, at most ten seconds old; nothing in them ticks.
 */
import { heatmapTiles } from '@fulcrum/domain';
import { useState } from 'react';
import { Segmented } from '../../../shared/ui/index.ts';
import { Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { MadeOf, NoPrices } from '../market/RankingParts.tsx';
import { useRanking } from '../market/useRanking.ts';
import { HeatmapTable } from './HeatmapTable.tsx';
import { Treemap } from './Treemap.tsx';

const views = [
  { value: 'map', label: 'Map' },
  { value: 'table', label: 'Table' },
] as const;
type View = (typeof views)[number]['value'];

/** A phone's map is 240 high; elsewhere it has what its row leaves it. */
const bodyLook = 'min-h-0 grow max-md:basis-60';

export function HeatmapWidget() {
  const reading = useRanking({ name: 'market-heatmap', what: 'Market Heatmap', rank: heatmapTiles });
  const [view, setView] = useState<View>('map');
  return (
    <Widget
      title="Market Heatmap"
      ref={reading.ref}
      staleSince={reading.staleSince}
      aside={
        <>
          <MadeOf ranking={reading.figures} />
          <Segmented label="Show as" options={views} value={view} onChange={setView} size="compact" />
        </>
      }
      className="h-full"
    >
      <WidgetBody
        reading={reading}
        skeleton={<span className={`shimmer mx-3 mb-3 ${bodyLook}`} />}
        failed="The markets could not be loaded"
      >
        {({ ranked }) => {
          if (ranked.length === 0) return <NoPrices />;
          return view === 'map' ? (
            <Treemap tiles={ranked} className={`mx-3 mb-3 ${bodyLook}`} />
          ) : (
            <HeatmapTable tiles={ranked} className={bodyLook} />
          );
        }}
      </WidgetBody>
    </Widget>
  );
}
