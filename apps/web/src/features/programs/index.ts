/** Contests and challenges. */

export { phaseLabels } from './labels.ts';
export { default as ProgramStanding } from './ProgramStanding.tsx';
export { type Contest, contestsQuery, rankingQuery } from './queries.ts';
