/** Classes, for the pages of staff. */

export { default as Classmates } from './Classmates.tsx';
export { classesQuery, hasEnded, membersQuery, ruleTexts } from './queries.ts';
