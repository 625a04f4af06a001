/**
 * Exports a list as a file (X-17, A77): everything that its filter matches, from one snapshot, sent in pages as fast as
 * the receiver reads them. Invariants: a page or two are in memory, whatever the file's length; the audit log has the
 * request before the first row leaves, and the end: complete or broken off, the reason and the number of rows. A receiver
 * that disconnects, stalls, or is slow while others wait (`receiver-timeout.ts`) loses its connection; one export cannot
 * block the others; an ended session gets no further row.
 *
 * Known limitation: while a file is sent PostgreSQL keeps every younger row version.
 */
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, type AuditAction, type SignedIn, texts } from '@fulcrum/contract';
import { type Cell, csvRecord } from '@fulcrum/domain';
import type { Queryable } from '../../../platform/database/index.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { recordAuditEntry } from '../../audit/index.ts';
import { IdentityError } from '../../identity/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { inListSnapshot } from '../read-snapshot.ts';
import { makeExportLink, redeemExportLink } from './export-links.ts';
import {
  type ReceiverTimeout,
  type ReceiverTimeoutReason,
  startReceiverTimeout,
} from './receiver-timeout.ts';

/** Rows that are worked off between two rounds of the event loop, which runs the engine as well: a few ms. */
const pageRows = 500;
/** Each that runs holds a connection and a snapshot. */
const limits = { runningMax: 2, runningOfOneMax: 1, waitingMax: 20, waitingOfOneMax: 2 };
// Twice the export's own timeout, which logs the reason; a session that PostgreSQL ends looks like a lost database.
const patience = `set local idle_in_transaction_session_timeout = '60s'`;

/** One file: what is in it, and how the audit log names it. */
interface ExportedList {
  readonly fileName: string;
  readonly actions: { readonly request: AuditAction; readonly end: AuditAction };
  /** The user whom the file is about; null for many. */
  readonly subjectId: string | null;
  /** The filter of the export, as the audit rows state it. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly head: readonly string[];
  /**
   * The rows, in the order of the file, within the holder's scope when the file is sent.
   * @throws AppError `not_found` for a user outside of it
   */
  readonly query: (
    tx: Queryable,
    holder: SignedIn,
  ) => Promise<{ readonly text: string; readonly values: readonly unknown[] }>;
  /** `row` is one of the query. */
  readonly toCells: (row: never) => readonly Cell[];
}

interface RedeemedLink {
  readonly holder: SignedIn;
  readonly request: ExportedList;
}

/**
 * What is in a file, from its holder, the arguments, which are JSON, and the time of the request. Called at the request, and when
 * the link is followed, maybe by another process.
 */
type DefineList<Args> = (holder: SignedIn, args: Args, at: Date) => Promise<ExportedList>;

/** As the audit log has it. */
interface ExportOutcome {
  readonly rows: number;
  readonly outcome: 'whole' | 'broken off';
  readonly why?: ReceiverTimeoutReason | 'receiver left' | 'session ended' | 'failed';
}

class ReceiverTimedOut extends Error {
  readonly reason: ReceiverTimeoutReason;
  constructor(why: ReceiverTimeoutReason) {
    super(why);
    this.reason = why;
  }
}

export interface ExportedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly body: Readable;
}

export type FileExports = ReturnType<typeof createFileExports>;
export type FileExportDependencies = Pick<
  StaffDependencies,
  'db' | 'reader' | 'clock' | 'timers' | 'log' | 'identity'
>;

export function createFileExports({ db, reader, clock, timers, log, identity }: FileExportDependencies) {
  const kinds = new Map<string, DefineList<never>>();
  const withExportSlot = createFairQueue(limits);
  const running = new Set<Promise<void>>();

  /** A link is checked when it is followed; the export may start and end much later. @throws AccountError `session_ended` */
  function requireSession({ sessionId }: SignedIn): void {
    if (identity.isRevoked(sessionId)) throw new IdentityError('session_ended');
  }

  async function* recordsOf(
    tx: Queryable,
    { holder, request }: RedeemedLink,
    sent: ExportTarget['sent'],
    receiver: ReceiverTimeout,
  ) {
    yield csvRecord(request.head);
    for (;;) {
      requireSession(holder);
      const { rows } = await tx.query<never>(`fetch ${pageRows} from exported`);
      if (rows.length === 0) return;
      const text = rows.map((row) => csvRecord(request.toCells(row))).join('');
      const taken = receiver.beginChunk();
      yield text;
      taken();
      sent.rows += rows.length;
      if (rows.length < pageRows) return;
    }
  }

  /** Sends the file into `body`, without its end; `begun` is called when nothing can be refused any more. */
  async function send(
    holder: SignedIn,
    request: ExportedList,
    to: ExportTarget,
    hasOtherWaiters: () => boolean,
  ): Promise<void> {
    to.disconnected.throwIfAborted();
    requireSession(holder);
    await inListSnapshot(reader, async (tx) => {
      await tx.query(patience);
      const { text, values } = await request.query(tx, holder);
      await tx.query(`declare exported no scroll cursor for ${text}`, [...values]);
      const receiver = startReceiverTimeout(timers, hasOtherWaiters);
      const signal = AbortSignal.any([to.disconnected, receiver.signal]);
      const records = Readable.from(recordsOf(tx, { holder, request }, to.sent, receiver), {
        highWaterMark: 1,
      });
      to.started();
      try {
        await pipeline(records, to.body, { end: false, signal });
      } catch (error) {
        throw receiver.signal.aborted ? new ReceiverTimedOut(receiver.signal.reason) : error;
      } finally {
        receiver.stop();
      }
    });
  }

  const recordOf = (
    step: keyof ExportedList['actions'],
    holder: SignedIn,
    { actions, subjectId, detail }: ExportedList,
    outcome: Partial<ExportOutcome> = {},
  ) =>
    recordAuditEntry(db, {
      at: new Date(clock.now()),
      actorId: holder.actorId,
      subjectId,
      action: actions[step],
      detail: { ...detail, ...outcome },
    });
  const record = (holder: SignedIn, request: ExportedList, outcome: ExportOutcome) =>
    recordOf('end', holder, request, outcome);

  async function sendOnRecord(holder: SignedIn, request: ExportedList, to: ExportTarget): Promise<void> {
    try {
      await withExportSlot(holder.userId, (hasOtherWaiters) => send(holder, request, to, hasOtherWaiters));
      await record(holder, request, { rows: to.sent.rows, outcome: 'whole' });
      to.body.end();
    } catch (error) {
      const hasStarted = to.refused(error);
      if (!hasStarted) return;
      // A file without its end is recognisable as incomplete.
      to.body.destroy();
      if (!to.disconnected.aborted)
        log.warn({ err: error, rows: to.sent.rows }, 'an exported file broke off');
      const why = to.disconnected.aborted
        ? 'receiver left'
        : error instanceof ReceiverTimedOut
          ? error.reason
          : error instanceof IdentityError
            ? 'session ended'
            : 'failed';
      await record(holder, request, { rows: to.sent.rows, outcome: 'broken off', why }).catch(
        (cause: unknown) => log.error({ err: cause }, 'a file that broke off is not on record'),
      );
    }
  }

  return {
    /** A kind of file. The returned function makes a link to one, for the caller's session. */
    define<Args>(kind: string, toList: DefineList<Args>) {
      kinds.set(kind, toList);
      return async (caller: SignedIn, args: Args) => {
        const at = new Date(clock.now());
        const list = await toList(caller, args, at);
        // The process may end in the middle of the file.
        await recordOf('request', caller, list);
        const token = await makeExportLink(db, caller, { kind, args, at });
        return { url: `/exports/v1/${token}`, file_name: list.fileName };
      };
    },
    /**
     * The file behind a link; `gone` is aborted when its receiver is. What the caller no longer reaches is not sent.
     * @throws AppError `not_found`, and `busy` when too many are sent
     */
    async open(caller: SignedIn, token: string, disconnected: AbortSignal): Promise<ExportedFile> {
      const link = await redeemExportLink(db, caller, { token, now: new Date(clock.now()) });
      const toList = link && kinds.get(link.kind);
      if (!toList) throw new AppError('not_found', texts.fileLinkOver);
      // Sound: the arguments are those that this kind's own procedure was called with.
      const request = await toList(caller, link.args as never, link.at);
      const body = new PassThrough();
      const begun = Promise.withResolvers<void>();
      let hasStarted = false;
      const sending = sendOnRecord(caller, request, {
        body,
        disconnected,
        sent: { rows: 0 },
        started: () => {
          hasStarted = true;
          begun.resolve();
        },
        refused: (error) => {
          begun.reject(error);
          return hasStarted;
        },
      });
      running.add(sending);
      void sending.finally(() => running.delete(sending));
      await begun.promise;
      return {
        fileName: request.fileName,
        contentType: 'text/csv; charset=utf-8; header=present',
        body,
      };
    },
    /** Resolves when nothing is being sent, or put on record, any more. */
    idle: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}

interface ExportTarget {
  readonly body: PassThrough;
  readonly disconnected: AbortSignal;
  readonly sent: { rows: number };
  /** Its first bytes can go out. */
  readonly started: () => void;
  /** Refuses the request while nothing has been sent; returns whether it could. */
  readonly refused: (error: unknown) => boolean;
}
