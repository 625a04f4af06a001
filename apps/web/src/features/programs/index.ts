/** Contests. */
export { default as ContestStanding } from './ContestStanding.tsx';
export { phaseLabels } from './labels.ts';
export { type Contest, contestsQuery, rankingQuery } from './queries.ts';
