/** DASH-03: the market as a whole. It arrives with the page. */
import { FearGreedWidget } from '../fear-greed/FearGreedWidget.tsx';
import { HeatmapWidget } from '../heatmap/HeatmapWidget.tsx';
import { MoversWidget } from '../movers/MoversWidget.tsx';
import { SentimentWidget } from '../sentiment/SentimentWidget.tsx';
import { Cell, cellLooks, rowLooks } from './places.tsx';

export function MarketRow() {
  return (
    <section id="market" aria-label="Market" className={rowLooks.market}>
      <Cell title="Market Sentiment" look={cellLooks.market}>
        <SentimentWidget />
      </Cell>
      <Cell title="Top Movers" look={cellLooks.market}>
        <MoversWidget />
      </Cell>
      <Cell title="Fear & Greed Index" look={cellLooks.market}>
        <FearGreedWidget />
      </Cell>
      <Cell title="Market Heatmap" look={cellLooks.market}>
        <HeatmapWidget />
      </Cell>
    </section>
  );
}
