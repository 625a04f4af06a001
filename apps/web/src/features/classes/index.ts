/** Classes, for the pages of staff. */
export { classesQuery, hasEnded } from './queries.ts';
export { TaughtClasses } from './TaughtClasses.tsx';
