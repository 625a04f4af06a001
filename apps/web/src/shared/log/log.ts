/**
 * What the app noticed, for the developer and for error reports: the last 1000 entries, in memory only.
 * Errors also reach the browser's own reporting, so that the console shows them with their stack.
 */
export const levels = ['info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

export interface Entry {
  readonly at: Date;
  readonly level: Level;
  readonly message: string;
  readonly cause?: unknown;
}

export const capacity = 1000;

export function createLog(report: (cause: unknown) => void) {
  const entries: Entry[] = [];
  const add = (level: Level, message: string, cause?: unknown) => {
    if (entries.length === capacity) entries.shift();
    entries.push({ at: new Date(), level, message, ...(cause !== undefined && { cause }) });
  };
  return {
    /** Oldest first. */
    entries: entries as readonly Entry[],
    info: (message: string) => add('info', message),
    /** Something failed and the app carries on. */
    warn: (message: string, cause?: unknown) => add('warn', message, cause),
    error: (message: string, cause?: unknown) => {
      add('error', message, cause);
      report(cause ?? new Error(message));
    },
  };
}

export const log = createLog((cause) => globalThis.reportError(cause));
