export interface LockOptions {
  readonly limitMs: number;
  /** Told once, with the pid of who holds the lock. */
  readonly onWait: (holder: string) => void;
}
export function takeLock(file: string, options: LockOptions): Promise<() => void>;
