/**
 * The application log, for developers and error reports: the last 1000 entries, in memory only (ENT-27, X-06, X-07). Errors
 * also go to the browser's error reporting, so that the console shows them with their stack. `logWindowErrors` adds uncaught
 * errors. Entries store their data unchanged; `log-file.ts` removes secrets on export.
 */
export const levels = ['info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

export interface Entry {
  /** UTC, ISO 8601. */
  readonly timestamp: string;
  readonly level: Level;
  /** The part of the app that logged it. */
  readonly category: string;
  readonly message: string;
  /** The cause, or further data. */
  readonly data?: unknown;
}

export const entriesMax = 1000;
const defaultCategory = 'app';

export function createLog(report: (cause: unknown) => void) {
  const entries: Entry[] = [];
  const write = (category: string, level: Level, message: string, data?: unknown) => {
    if (entries.length === entriesMax) entries.shift();
    const timestamp = new Date().toISOString();
    entries.push({ timestamp, level, category, message, ...(data !== undefined && { data }) });
  };
  const of = (category: string) => ({
    info: (message: string, data?: unknown) => write(category, 'info', message, data),
    /** Something failed and the app carries on. */
    warn: (message: string, data?: unknown) => write(category, 'warn', message, data),
    error: (message: string, data?: unknown) => {
      write(category, 'error', message, data);
      report(data ?? new Error(message));
    },
    /** Logged without being reported: the browser has reported it already. */
    uncaught: (message: string, data?: unknown) => write(category, 'error', message, data),
  });
  return {
    ...of(defaultCategory),
    /** Oldest first. */
    entries: entries as readonly Entry[],
    /** The same log under another category. */
    of,
  };
}
export type Log = ReturnType<typeof createLog>;

/** Reporting an error fires a window event, which is not logged a second time. */
let isReporting = false;

export const log = createLog((cause) => {
  isReporting = true;
  try {
    globalThis.reportError(cause);
  } finally {
    isReporting = false;
  }
});

/** Logs uncaught errors and rejections until the returned function is called. */
export function logWindowErrors(page: Window, into: Log = log): () => void {
  const notes = into.of('window');
  const onError = ({ message, error }: ErrorEvent) => {
    if (!isReporting) notes.uncaught(message || 'An error without a message', error);
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) => notes.uncaught('An unhandled rejection', reason);
  page.addEventListener('error', onError);
  page.addEventListener('unhandledrejection', onRejection);
  return () => {
    page.removeEventListener('error', onError);
    page.removeEventListener('unhandledrejection', onRejection);
  };
}
