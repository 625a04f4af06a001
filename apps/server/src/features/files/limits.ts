/** Limits of files, per user and for the server, and the count of running transfers. */
import { busy } from '@fulcrum/contract';
import { defaultLimits } from '../../platform/limits/index.ts';
import { UseCounter } from '../../platform/rate-limit/use-counter.ts';
import { FileError } from './errors.ts';

const { uploadsOfUser, uploadsAtOnceOfUser, downloadsAtOnceOfUser } = defaultLimits;

export const limits = {
  /**
   * Each upload holds about a megabyte of memory while it is received, and almost none while it waits for a decoder,
   * because its bytes are in the database. A submission is three pictures, sent at once.
   */
  uploads: { atOnceMax: 32, perUserMax: uploadsAtOnceOfUser.most },
  /** Each holds a picture as received, as stored (10 MB each) and, meanwhile, its pixels. */
  decoders: { runningMax: 2, waitingMax: 30, waitingOfOneMax: 3 },
  /** Only one picture with more pixels than this is decoded at a time. */
  largePixels: 16_000_000,
  /** For decoding and encoding a picture once: five times the largest one's time on two busy cores. */
  decodeSMax: 30,
  downloads: { atOnceMax: 32, perUserMax: downloadsAtOnceOfUser.most },
  /** Uploads that one user may begin, whatever their outcome. */
  attempts: { max: uploadsOfUser.attemptsMax, windowMs: uploadsOfUser.windowMs },
  /** All versions of one user: twenty submissions of three largest pictures. */
  bytesPerOwnerMax: 600 * 1024 * 1024,
  /** A sender with a lower average is cut off; the server ends any request after two minutes. */
  uploadPace: { bytesPerSMin: 16 * 1024, graceMs: 10_000 },
  /** A slower reader is cut off. */
  downloadMsMax: 2 * 60_000,
} as const;

interface TransferLimit {
  /**
   * The last quarter is reserved for users without a running transfer, so that a few users never take all of them.
   */
  readonly atOnceMax: number;
  readonly perUserMax: number;
}

interface Transfers {
  /**
   * Counts one transfer. The first call of the result ends it. @throws FileError `too_many_transfers`, AppError
   * `busy`
   */
  begin(userId: string): () => void;
  /** Resolves when no transfer is running. */
  idle(): Promise<void>;
}

export function createTransfers({ atOnceMax, perUserMax }: TransferLimit): Transfers {
  const forFurther = Math.floor(atOnceMax * 0.75);
  const transfers = new UseCounter();
  let onIdle: (() => void)[] = [];
  return {
    begin(userId) {
      const own = transfers.of(userId);
      if (own >= perUserMax) throw new FileError('too_many_transfers');
      if (transfers.total >= (own === 0 ? atOnceMax : forFurther)) throw busy();
      return transfers.begin(userId, () => {
        if (transfers.total > 0) return;
        for (const resume of onIdle) resume();
        onIdle = [];
      });
    },
    idle: () =>
      transfers.total === 0 ? Promise.resolve() : new Promise<void>((resolve) => void onIdle.push(resolve)),
  };
}
