/** DASH-06. */
export { JournalSection as default } from '../../journal/index.ts';
