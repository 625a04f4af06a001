/** Classes of traders (A112): terms, tutors, members. */
import { guardFromImpersonation } from '../identity/index.ts';
import { createClassCommands } from './classes.ts';
import { createClassmates } from './classmates.ts';
import type { ClassesDependencies } from './dependencies.ts';
import { createClassMembers } from './members.ts';
import { createJoinClass } from './membership.ts';
import { createClassMessages } from './messages.ts';

export { createJoinClass, type JoinClass } from './membership.ts';
export { createClassMailWriter } from './messages.ts';
export { checkTerms, saveTerms } from './save-terms.ts';

export type Classes = ReturnType<typeof createClasses>;

export function createClasses(deps: ClassesDependencies) {
  const joinClass = createJoinClass(deps.config);
  const members = createClassMembers(deps, joinClass);
  return {
    joinClass,
    previewJoining: members.previewJoining,
    procedures: {
      ...guardFromImpersonation({
        ...createClassCommands(deps),
        ...members.procedures,
        ...createClassMessages(deps, members.requireReach),
      }),
      ...createClassmates(deps),
    },
  };
}
