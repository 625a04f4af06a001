/** The market overview row (DASH-03). It loads with the page. */
import { FearGreedWidget } from '../fear-greed/FearGreedWidget.tsx';
import { HeatmapWidget } from '../heatmap/HeatmapWidget.tsx';
import { MoversWidget } from '../movers/MoversWidget.tsx';
import { SentimentWidget } from '../sentiment/SentimentWidget.tsx';
import { Cell, cellStyles, rowStyles } from './row-layout.tsx';

export function MarketRow() {
  return (
    <section id="market" aria-label="Market" className={rowStyles.market}>
      <Cell title="Market Sentiment" className={cellStyles.market} Content={SentimentWidget} />
      <Cell title="Top Movers" className={cellStyles.market} Content={MoversWidget} />
      <Cell title="Fear & Greed Index" className={cellStyles.market} Content={FearGreedWidget} />
      <Cell title="Market Heatmap" className={cellStyles.market} Content={HeatmapWidget} />
    </section>
  );
}
