/** Coming events, past events and social sentiment (DASH-05); all of it synthetic and labelled so (A41). */
import { CalendarWidget } from '../calendar/CalendarWidget.tsx';
import { NewsWidget } from '../news/NewsWidget.tsx';
import { SocialWidget } from '../social/SocialWidget.tsx';
import { Cell, cellStyles, rowStyles } from './row-layout.tsx';

export default function NewsRow() {
  return (
    <div className={rowStyles.news}>
      <Cell title="Economic Calendar" className={cellStyles.news} Content={CalendarWidget} />
      <Cell title="News Feed" className={cellStyles.news} Content={NewsWidget} />
      <Cell title="Social Sentiment" className={cellStyles.social} Content={SocialWidget} />
    </div>
  );
}
