/**
 * Positions as a file (X-17, A77): everything that the filter shows, from one snapshot, sent in pages as fast as the receiver takes
 * them. Invariants: a page or two are in memory, however long the file is; that a file was asked for is in the audit log before a
 * row of it goes out, and its end is too, whole or broken off and why, with how many rows went out; a receiver who goes away, takes
 * nothing, or is slow while others wait (`receiver.ts`), holds no connection; nobody keeps the others from theirs; a session
 * that ends gets no further row.
 *
 * Known limitation: while a file is sent PostgreSQL keeps every row version that is younger.
 */
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, type Caller, type exportPositions, type SignedIn, texts } from '@fulcrum/contract';
import { csvRecord, positionFileHead } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Queryable } from '../../../platform/database/index.ts';
import { createFairQueue } from '../../../platform/fair-queue.ts';
import { AccountError, recordAct } from '../../accounts/index.ts';
import type { StaffDependencies } from '../index.ts';
import { inOneMoment } from '../moment.ts';
import { type CsvRow, cellsOf, csvColumns, type Days, daysIn, fileNameOf } from './csv-file.ts';
import { filterSql, timeColumn } from './filter.ts';
import { createFileLinks } from './links.ts';
import { type GivenUp, type Receiver, watchReceiver } from './receiver.ts';

type Args = z.output<typeof exportPositions.args>;

/** Rows that are worked off between two rounds of the event loop, which runs the engine as well: a few ms. */
const pageRows = 500;
/** Each that runs holds a connection and a snapshot. */
const limits = { runningMax: 2, runningOfOneMax: 1, waitingMax: 20, waitingOfOneMax: 2 };
// Twice our own patience, which says what happened; a session that is cut off looks like a lost database.
const patience = `set local idle_in_transaction_session_timeout = '60s'`;

interface Wanted {
  readonly args: Args;
  readonly fileName: string;
  readonly days: Days;
}

interface Followed {
  readonly holder: SignedIn;
  readonly wanted: Wanted;
}

/** As the audit log has it. */
interface Ending {
  readonly rows: number;
  readonly outcome: 'whole' | 'broken off';
  readonly why?: GivenUp | 'receiver left' | 'session ended' | 'failed';
}

class ReceiverGivenUp extends Error {
  readonly why: GivenUp;
  constructor(why: GivenUp) {
    super(why);
    this.why = why;
  }
}

export interface ExportedFile {
  readonly fileName: string;
  readonly contentType: string;
  readonly body: Readable;
}

export type PositionExports = ReturnType<typeof createPositionExports>;

export function createPositionExports(
  deps: Pick<StaffDependencies, 'db' | 'market' | 'clock' | 'timers' | 'log' | 'accounts'>,
) {
  const { db, market, clock, timers, log, accounts } = deps;
  const links = createFileLinks<Wanted>(clock);
  const inTurn = createFairQueue(limits);
  const running = new Set<Promise<void>>();

  /** A link is looked at when it is followed; its turn, and its end, may come much later. @throws AccountError `session_ended` */
  function requireSession({ sessionId }: SignedIn): void {
    if (accounts.isRevoked(sessionId)) throw new AccountError('session_ended');
  }

  async function* recordsOf(
    tx: Queryable,
    { holder, wanted }: Followed,
    sent: Sending['sent'],
    receiver: Receiver,
  ) {
    yield csvRecord(positionFileHead);
    for (;;) {
      requireSession(holder);
      const { rows } = await tx.query<CsvRow>(`fetch ${pageRows} from exported`);
      if (rows.length === 0) return;
      const text = rows.map((row) => csvRecord(cellsOf(row, market, wanted.days))).join('');
      const taken = receiver.offer();
      yield text;
      taken();
      sent.rows += rows.length;
      if (rows.length < pageRows) return;
    }
  }

  /** Sends the file into `body`, without its end; `begun` is called when nothing can be refused any more. */
  async function send(
    holder: SignedIn,
    wanted: Wanted,
    to: Sending,
    isWaitedFor: () => boolean,
  ): Promise<void> {
    const { args } = wanted;
    to.gone.throwIfAborted();
    requireSession(holder);
    await inOneMoment(db, async (tx) => {
      await tx.query(patience);
      const { where, values } = await filterSql(tx, holder, args);
      const time = timeColumn[args.p_status];
      await tx.query(
        `declare exported no scroll cursor for select ${csvColumns} from app.positions p where ${where}
         order by ${time} desc, p.id desc`,
        values,
      );
      const receiver = watchReceiver(timers, isWaitedFor);
      const signal = AbortSignal.any([to.gone, receiver.givenUp]);
      const records = Readable.from(recordsOf(tx, { holder, wanted }, to.sent, receiver), {
        highWaterMark: 1,
      });
      to.begun();
      try {
        await pipeline(records, to.body, { end: false, signal });
      } catch (error) {
        throw receiver.givenUp.aborted ? new ReceiverGivenUp(receiver.givenUp.reason) : error;
      } finally {
        receiver.stopWatching();
      }
    });
  }

  const recordOf = (
    action: 'positions_export_asked' | 'positions_exported',
    holder: SignedIn,
    args: Args,
    ending: Partial<Ending> = {},
  ) =>
    recordAct(db, {
      at: new Date(clock.now()),
      actorId: holder.actorId,
      subjectId: args.p_user_id ?? null,
      action,
      detail: {
        status: args.p_status,
        symbol: args.p_symbol ?? null,
        from: args.p_from ?? null,
        to: args.p_to ?? null,
        ...ending,
      },
    });
  const record = (holder: SignedIn, { args }: Wanted, ending: Ending) =>
    recordOf('positions_exported', holder, args, ending);

  async function sendOnRecord(holder: SignedIn, wanted: Wanted, to: Sending): Promise<void> {
    try {
      await inTurn(holder.userId, (isWaitedFor) => send(holder, wanted, to, isWaitedFor));
      await record(holder, wanted, { rows: to.sent.rows, outcome: 'whole' });
      to.body.end();
    } catch (error) {
      const isBegun = to.refused(error);
      if (!isBegun) return;
      // Without its end nobody takes it for a whole file.
      to.body.destroy();
      if (!to.gone.aborted) log.warn({ err: error, rows: to.sent.rows }, 'a file of positions broke off');
      const why = to.gone.aborted
        ? 'receiver left'
        : error instanceof ReceiverGivenUp
          ? error.why
          : error instanceof AccountError
            ? 'session ended'
            : 'failed';
      await record(holder, wanted, { rows: to.sent.rows, outcome: 'broken off', why }).catch(
        (cause: unknown) => log.error({ err: cause }, 'a file that broke off is not on record'),
      );
    }
  }

  return {
    procedure: async (caller: SignedIn, args: Args) => {
      const days = daysIn(args.p_time_zone);
      const { username } = await filterSql(db, caller, args);
      const fileName = fileNameOf(args.p_status, username, days.stamp(clock.now()));
      // The process may end in the middle of the file.
      await recordOf('positions_export_asked', caller, args);
      const token = links.make(caller, { args, fileName, days });
      return { url: `/exports/v1/${token}`, file_name: fileName };
    },
    /**
     * The file behind a link; `gone` is aborted when its receiver is. What the caller no longer reaches is not sent.
     * @throws AppError `not_found`, and `busy` when too many are sent
     */
    async open(caller: Caller, token: string, gone: AbortSignal): Promise<ExportedFile> {
      const link = links.follow(token, caller);
      if (!link) throw new AppError('not_found', texts.fileLinkOver);
      const body = new PassThrough();
      const begun = Promise.withResolvers<void>();
      let isBegun = false;
      const sending = sendOnRecord(link.holder, link.wanted, {
        body,
        gone,
        sent: { rows: 0 },
        begun: () => {
          isBegun = true;
          begun.resolve();
        },
        refused: (error) => {
          begun.reject(error);
          return isBegun;
        },
      });
      running.add(sending);
      void sending.finally(() => running.delete(sending));
      await begun.promise;
      return { fileName: link.wanted.fileName, contentType: 'text/csv; charset=utf-8; header=present', body };
    },
    /** Resolves when nothing is being sent, or put on record, any more. */
    idle: async (): Promise<void> => {
      await Promise.all(running);
    },
  };
}

interface Sending {
  readonly body: PassThrough;
  readonly gone: AbortSignal;
  readonly sent: { rows: number };
  /** Its first bytes can go out. */
  readonly begun: () => void;
  /** Answers the request while nothing has begun; says whether something has. */
  readonly refused: (error: unknown) => boolean;
}
