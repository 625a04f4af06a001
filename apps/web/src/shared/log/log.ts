/**
 * What the app noticed, for the developer and for error reports: the last 1000 entries, in memory only (ENT-27, X-06, X-07).
 * Errors also reach the browser's own reporting, so that the console shows them with their stack. What nobody caught is
 * noted by `followWindowErrors`. Entries hold what they were given; `log-file.ts` takes the secrets out of what leaves.
 */
export const levels = ['info', 'warn', 'error'] as const;
export type Level = (typeof levels)[number];

export interface Entry {
  /** UTC, ISO 8601. */
  readonly timestamp: string;
  readonly level: Level;
  /** The part of the app that noticed it. */
  readonly category: string;
  readonly message: string;
  /** What caused it, or what it is about. */
  readonly data?: unknown;
}

export const capacity = 1000;
const defaultCategory = 'app';

export function createLog(report: (cause: unknown) => void) {
  const entries: Entry[] = [];
  const write = (category: string, level: Level, message: string, data?: unknown) => {
    if (entries.length === capacity) entries.shift();
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
    /** Noted as an error without being reported: the browser has reported it already. */
    uncaught: (message: string, data?: unknown) => write(category, 'error', message, data),
  });
  return {
    ...of(defaultCategory),
    /** Oldest first. */
    entries: entries as readonly Entry[],
    /** The same log with the entries of one part of the app. */
    of,
  };
}
export type Log = ReturnType<typeof createLog>;

/** Reporting an error tells the window of it; that is no second one. */
let isReporting = false;

export const log = createLog((cause) => {
  isReporting = true;
  try {
    globalThis.reportError(cause);
  } finally {
    isReporting = false;
  }
});

/** Notes what nobody caught, until the returned function is called. */
export function followWindowErrors(page: Window, into: Log = log): () => void {
  const notes = into.of('window');
  const onError = ({ message, error }: ErrorEvent) => {
    if (!isReporting) notes.uncaught(message || 'An error without a message', error);
  };
  const onRejection = ({ reason }: PromiseRejectionEvent) =>
    notes.uncaught('A rejection that nobody handled', reason);
  page.addEventListener('error', onError);
  page.addEventListener('unhandledrejection', onRejection);
  return () => {
    page.removeEventListener('error', onError);
    page.removeEventListener('unhandledrejection', onRejection);
  };
}
