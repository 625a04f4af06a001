export { JournalSection } from './JournalSection.tsx';
