/** The fifth row of the dashboard is the trading journal (DASH-06). */
export { JournalSection as default } from '../../journal/index.ts';
