/** The age of a user against the least age of this server (`MIN_AGE`, 0 for none). */
import { getAge } from '@fulcrum/domain';

/** Age in full years today; null for an invalid date. */
export const getAgeToday = (birth: string): number | null =>
  getAge(birth, new Date().toISOString().slice(0, 10));

export function isUnderage(birth: string, minAge: number): boolean {
  const age = getAgeToday(birth);
  return age !== null && age < minAge;
}
