/**
 * Advisory locks of engines. A writing session holds the lock of its engine, so the lock tells its next holder that the session is over. A
 * server alone locks the installation exclusively, members of a cluster share it: the two never run on one database.
 */

/** 'FULC'; the second half of the key names what is locked. */
const fulcrum = 0x46554c43;
/** 'FULE'; the second half is the id of an engine. */
export const memberLocks = 0x46554c45;
/** As in releases without lanes. */
const installation = 1;
/** Of the transaction that ends engines and gives slots out. */
export const pollLock = [fulcrum, 3] as const;

/** What a session needs before it may write. */
export interface SessionLock {
  /** Tries to get it at once, for the engine with this id (0 before it has one); answers `locked`. */
  take(engine: number): { readonly text: string; readonly values: number[] };
  /** More settings of the session. */
  readonly settings: string;
  /** Why a start without it is refused. */
  readonly refusal: string;
}

/** Of a lane of a server alone. The first lane has that of the installation; the others begin away from locks of other features. */
export const laneLock = (lane: number): SessionLock => ({
  take: () => ({
    text: 'select pg_try_advisory_lock($1, $2) as locked',
    values: [fulcrum, lane === 0 ? installation : 0x100 + lane],
  }),
  settings: '',
  refusal: 'another Fulcrum engine is running on this database',
});

export const memberLock: SessionLock = {
  take: (engine) => ({
    text: `select pg_try_advisory_lock_shared($1, $2) and ($3::int = 0 or pg_try_advisory_lock($4, $3::int)) as locked`,
    values: [fulcrum, installation, engine, memberLocks],
  }),
  // PostgreSQL gives up a session whose machine is gone, and with it the lock.
  settings: 'set tcp_user_timeout = 3000',
  refusal: 'a Fulcrum server that is no member of a cluster is running on this database',
};
