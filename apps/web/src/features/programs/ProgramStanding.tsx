/** On the dashboard of an account of a program: where it stands. */
import { useSignedIn } from '../../shared/session/index.ts';
import { ContestStanding } from './ContestStanding.tsx';
import { ChallengeStanding } from './challenges/ChallengeStanding.tsx';

export default function ProgramStanding() {
  return useSignedIn().account?.kind === 'challenge' ? <ChallengeStanding /> : <ContestStanding />;
}
