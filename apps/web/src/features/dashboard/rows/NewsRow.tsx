/** DASH-05: what is about to happen, what happened, and what people say; all of it made up and labelled (A41). */
import { CalendarWidget } from '../calendar/CalendarWidget.tsx';
import { NewsWidget } from '../news/NewsWidget.tsx';
import { SocialWidget } from '../social/SocialWidget.tsx';
import { Cell, cellLooks, rowLooks } from './places.tsx';

export default function NewsRow() {
  return (
    <div className={rowLooks.news}>
      <Cell title="Economic Calendar" look={cellLooks.news}>
        <CalendarWidget />
      </Cell>
      <Cell title="News Feed" look={cellLooks.news}>
        <NewsWidget />
      </Cell>
      <Cell title="Social Sentiment" look={cellLooks.social}>
        <SocialWidget />
      </Cell>
    </div>
  );
}
