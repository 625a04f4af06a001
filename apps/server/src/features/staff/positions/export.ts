/**
 * Exports positions as a file (X-17, A77): everything that the filter matches, from one snapshot, sent in pages as fast as
 * the receiver reads them. Invariants: a page or two are in memory, whatever the file's length; the audit log has the
 * request before the first row leaves, and the end: complete or broken off, the reason and the number of rows. A receiver
 * that disconnects, stalls, or is slow while others wait (`receiver-timeout.ts`) loses its connection; one export cannot
 * block the others; an ended session gets no further row.
 *
 * Known limitation: while a file is sent PostgreSQL keeps every younger row version.
 */
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, type Caller, type exportPositions, type SignedIn, texts } from '@fulcrum/contract';
import { csvRecord, positionFileHead } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Queryable } from '../../../platform/database/index.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { recordAuditEntry } from '../../audit/index.ts';
import { IdentityError } from '../../identity/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { inListSnapshot } from '../read-snapshot.ts';
import {
  buildFileName,
  type CsvRow,
  createDayFormatter,
  csvColumns,
  type DayFormatter,
  toCells,
} from './csv-file.ts';
import { createExportLinks } from './export-links.ts';
import { filterSql, timeColumn } from './filter.ts';
import {
  type ReceiverTimeout,
  type ReceiverTimeoutReason,
  startReceiverTimeout,
} from './receiver-timeout.ts';

type Args = z.output<typeof exportPositions.args>;

/** Rows that are worked off between two rounds of the event loop, which runs the engine as well: a few ms. */
const pageRows = 500;
/** Each that runs holds a connection and a snapshot. */
const limits = { runningMax: 2, runningOfOneMax: 1, waitingMax: 20, waitingOfOneMax: 2 };
// Twice the export's own timeout, which logs the reason; a session that PostgreSQL ends looks like a lost database.
const patience = `set local idle_in_transaction_session_timeout = '60s'`;

interface ExportRequest {
  readonly args: Args;
  readonly fileName: string;
  readonly days: DayFormatter;
}

interface RedeemedLink {
  readonly holder: SignedIn;
  readonly request: ExportRequest;
}

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

export type PositionExports = ReturnType<typeof createPositionExports>;

export function createPositionExports(
  deps: Pick<StaffDependencies, 'db' | 'market' | 'clock' | 'timers' | 'log' | 'identity'>,
) {
  const { db, market, clock, timers, log, identity } = deps;
  const links = createExportLinks<ExportRequest>(clock);
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
    yield csvRecord(positionFileHead);
    for (;;) {
      requireSession(holder);
      const { rows } = await tx.query<CsvRow>(`fetch ${pageRows} from exported`);
      if (rows.length === 0) return;
      const text = rows.map((row) => csvRecord(toCells(row, market, request.days))).join('');
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
    request: ExportRequest,
    to: ExportTarget,
    hasOtherWaiters: () => boolean,
  ): Promise<void> {
    const { args } = request;
    to.disconnected.throwIfAborted();
    requireSession(holder);
    await inListSnapshot(db, async (tx) => {
      await tx.query(patience);
      const { where, values } = await filterSql(tx, holder, args);
      const time = timeColumn[args.p_status];
      await tx.query(
        `declare exported no scroll cursor for select ${csvColumns} from app.positions p where ${where}
         order by ${time} desc, p.id desc`,
        values,
      );
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
    action: 'positions.request_export' | 'positions.export',
    holder: SignedIn,
    args: Args,
    outcome: Partial<ExportOutcome> = {},
  ) =>
    recordAuditEntry(db, {
      at: new Date(clock.now()),
      actorId: holder.actorId,
      subjectId: args.p_user_id ?? null,
      action,
      detail: {
        status: args.p_status,
        symbol: args.p_symbol ?? null,
        from: args.p_from ?? null,
        to: args.p_to ?? null,
        ...outcome,
      },
    });
  const record = (holder: SignedIn, { args }: ExportRequest, outcome: ExportOutcome) =>
    recordOf('positions.export', holder, args, outcome);

  async function sendOnRecord(holder: SignedIn, request: ExportRequest, to: ExportTarget): Promise<void> {
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
        log.warn({ err: error, rows: to.sent.rows }, 'a file of positions broke off');
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
    procedure: async (caller: SignedIn, args: Args) => {
      const days = createDayFormatter(args.p_time_zone);
      const { username } = await filterSql(db, caller, args);
      const fileName = buildFileName(args.p_status, username, days.stamp(clock.now()));
      // The process may end in the middle of the file.
      await recordOf('positions.request_export', caller, args);
      const token = links.make(caller, { args, fileName, days });
      return { url: `/exports/v1/${token}`, file_name: fileName };
    },
    /**
     * The file behind a link; `gone` is aborted when its receiver is. What the caller no longer reaches is not sent.
     * @throws AppError `not_found`, and `busy` when too many are sent
     */
    async open(caller: Caller, token: string, disconnected: AbortSignal): Promise<ExportedFile> {
      const link = links.redeem(token, caller);
      if (!link) throw new AppError('not_found', texts.fileLinkOver);
      const body = new PassThrough();
      const begun = Promise.withResolvers<void>();
      let hasStarted = false;
      const sending = sendOnRecord(link.holder, link.request, {
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
        fileName: link.request.fileName,
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
