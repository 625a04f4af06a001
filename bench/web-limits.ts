/** Limits of a screen that stays open, and the text of a figure beside its limit. */
import { verdict } from './figures.ts';
export const limits = { commitsPerS: 10, heapMBPerHour: 5, interactionMs: 150 } as const;

/** Prints a figure beside its limit; whether it is met. */
export function reportLimit(name: string, figure: string, limit: string, isMet: boolean): boolean {
  console.log(`${name.padEnd(34)}${figure.padStart(12)}   limit ${limit}: ${verdict(isMet)}`);
  return isMet;
}
