/** Classes of traders (A112): terms, tutors, members. */
import { guardFromImpersonation } from '../identity/index.ts';
import { createClassCommands } from './classes.ts';
import type { ClassesDependencies } from './dependencies.ts';
import { createClassMembers } from './members.ts';
import { createJoinClass } from './membership.ts';

export { createJoinClass, type JoinClass } from './membership.ts';

export function createClasses(deps: ClassesDependencies) {
  const joinClass = createJoinClass(deps.config);
  return {
    joinClass,
    procedures: guardFromImpersonation({
      ...createClassCommands(deps),
      ...createClassMembers(deps, joinClass).procedures,
    }),
  };
}
