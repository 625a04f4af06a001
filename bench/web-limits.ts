/** What a screen left open may cost, and how a figure is told beside its limit. */
export const limits = { commitsPerS: 10, heapMBPerHour: 5, interactionMs: 150 } as const;

/** Prints a figure beside its limit; whether it is met. */
export function judge(name: string, figure: string, limit: string, isMet: boolean): boolean {
  console.log(`${name.padEnd(34)}${figure.padStart(12)}   limit ${limit}: ${isMet ? 'met' : 'MISSED'}`);
  return isMet;
}
