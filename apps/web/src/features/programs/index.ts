/** Contests. */
export { default as ContestStanding } from './ContestStanding.tsx';
