/**
 * The sixteen crypto markets with the largest volume × price (DASH-17, DASH-18). A treemap colours them by their 24 h
 * change, and a table shows the same figures. Both show the last ranking, at most ten seconds old, and do not tick.
 */
import { heatmapTiles } from '@fulcrum/domain';
import { useState } from 'react';
import { Segmented } from '../../../shared/ui/index.ts';
import { Widget, WidgetBody } from '../../../shared/widget/index.ts';
import { NoPrices, RankingSourceBadge } from '../market/RankingParts.tsx';
import { useRanking } from '../market/useRanking.ts';
import { HeatmapTable } from './HeatmapTable.tsx';
import { Treemap } from './Treemap.tsx';

const views = [
  { value: 'map', label: 'Map' },
  { value: 'table', label: 'Table' },
] as const;
type View = (typeof views)[number]['value'];

/** A phone's map is 240 px high; elsewhere it fills its row. */
const bodyStyles = 'min-h-0 grow max-md:basis-60';

export function HeatmapWidget() {
  const reading = useRanking({ name: 'market-heatmap', what: 'Market Heatmap', rank: heatmapTiles });
  const [view, setView] = useState<View>('map');
  return (
    <Widget
      title="Market Heatmap"
      reading={reading}
      aside={
        <>
          <RankingSourceBadge ranking={reading.figures} />
          <Segmented label="Show as" options={views} value={view} onChange={setView} size="compact" />
        </>
      }
      className="h-full"
    >
      <WidgetBody
        reading={reading}
        skeleton={<span className={`shimmer mx-3 mb-3 ${bodyStyles}`} />}
        failed="The markets could not be loaded"
      >
        {({ ranked }) => {
          if (ranked.length === 0) return <NoPrices />;
          return view === 'map' ? (
            <Treemap tiles={ranked} className={`mx-3 mb-3 ${bodyStyles}`} />
          ) : (
            <HeatmapTable tiles={ranked} className={bodyStyles} />
          );
        }}
      </WidgetBody>
    </Widget>
  );
}
