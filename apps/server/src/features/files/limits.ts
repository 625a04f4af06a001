/** Limits of files, per person and altogether, and the count of transfers under way. */
import { busy } from '@fulcrum/contract';
import { FileError } from './errors.ts';

const hour = 60 * 60_000;
export const limits = {
  /**
   * Each holds about a megabyte of memory while it is received, and next to nothing while it waits for a decoder: its bytes
   * are in the database. A submission is three pictures, sent at once.
   */
  uploads: { atOnceMax: 32, perUserMax: 3 },
  /** Each holds a picture as it was sent, as it is stored (10 MB each) and, meanwhile, its pixels. */
  decoders: { runningMax: 2, waitingMax: 30, waitingOfOneMax: 3 },
  /** One with more pixels than this is decoded while no other such one is. */
  largePixels: 16_000_000,
  /** For decoding and encoding a picture once: five times what the largest takes on two busy cores. */
  decodeSMax: 30,
  downloads: { atOnceMax: 32, perUserMax: 12 },
  /** Uploads that one person may begin, whatever becomes of them. */
  attempts: { max: 60, windowMs: hour },
  /** All versions of one person: twenty submissions of three largest pictures. */
  bytesPerOwnerMax: 600 * 1024 * 1024,
  /** A sender whose average is below it is cut off; the server ends any request after two minutes. */
  uploadPace: { bytesPerSMin: 16 * 1024, graceMs: 10_000 },
  /** A reader who is slower than this is cut off. */
  downloadMsMax: 2 * 60_000,
} as const;

export interface TransferLimit {
  /** The last quarter is for those who have none under way: a few people alone never take all of them. */
  readonly atOnceMax: number;
  readonly perUserMax: number;
}

export interface Transfers {
  /** Counts one transfer. @throws FileError `too_many_transfers`, AppError `busy`. The result ends it, at the first call. */
  begin(userId: string): () => void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

export function createTransfers({ atOnceMax, perUserMax }: TransferLimit): Transfers {
  const forFurther = Math.floor(atOnceMax * 0.75);
  const byUser = new Map<string, number>();
  let underWay = 0;
  let onIdle: (() => void)[] = [];
  return {
    begin(userId) {
      const own = byUser.get(userId) ?? 0;
      if (own >= perUserMax) throw new FileError('too_many_transfers');
      if (underWay >= (own === 0 ? atOnceMax : forFurther)) throw busy();
      byUser.set(userId, own + 1);
      underWay += 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        underWay -= 1;
        const left = (byUser.get(userId) ?? 1) - 1;
        if (left === 0) byUser.delete(userId);
        else byUser.set(userId, left);
        if (underWay > 0) return;
        for (const resume of onIdle) resume();
        onIdle = [];
      };
    },
    idle: () =>
      underWay === 0 ? Promise.resolve() : new Promise<void>((resolve) => void onIdle.push(resolve)),
  };
}
