/** Contests and challenges. */
export { default as ProgramStanding } from './ProgramStanding.tsx';
