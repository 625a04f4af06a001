/** Classes, for the pages of staff. */
export { classesQuery } from './queries.ts';
export { TaughtClasses } from './TaughtClasses.tsx';
