export interface LockOptions {
  readonly limitMs: number;
  /** Called once, with the pid of the holder. */
  readonly onWait: (holder: string) => void;
}
export function takeLock(file: string, options: LockOptions): Promise<() => void>;
