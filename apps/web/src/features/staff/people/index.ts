export { actsFor, type Person, type PersonAct, type Place, restrictWords } from './acts.ts';
export { Choice } from './Choice.tsx';
export type { DialogAct } from './dialogs.tsx';
export { ManagerChoice } from './ManagerChoice.tsx';
export { type Manager, useManagers } from './managers.ts';
export { type OpenAct, PersonActs, useAct } from './PersonActs.tsx';
export { checkReason, ReasonField } from './ReasonField.tsx';
export { roleWords } from './roles.ts';
export { useRepeatable } from './useRepeatable.ts';
