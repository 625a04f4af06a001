/**
 * The push subscriptions of a trader's devices. Invariants: a subscription belongs to the session that made it and ends with
 * it; its endpoint is an https address on one of `PUSH_HOSTS`; only a browser that knows the keys of an endpoint may bring it
 * to another session. Other users' devices answer like missing ones.
 */
import { createPublicKey } from 'node:crypto';
import {
  AppError,
  type ArgsOf,
  type PushDevice,
  type ResultOf,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { isPushEndpoint } from '../../platform/config/push.ts';
import type { Services } from '../../platform/services.ts';
import { lockLiveSession } from '../identity/index.ts';
import type { PushDependencies } from './dependencies.ts';

type DeviceDependencies = Pick<Services, 'db' | 'clock'> &
  Pick<PushDependencies, 'config'> & {
    /** Null: Web Push is off. */
    readonly publicKey: string | null;
  };

/** In a file of the server, because no page shows them before the server answers. */
const refusals = {
  off: 'This server sends no push notifications.',
  host: "This browser's push service is not one that this server calls.",
  keys: 'The keys of the push subscription are invalid.',
  endpoint: 'This push subscription belongs to another device. Switch push notifications on again.',
  full: (devices: number) =>
    `Push notifications are on for ${devices} devices already. Remove one of them first.`,
  unknown: 'Device not found',
} as const;

/** Bytes of an uncompressed P-256 point: 0x04, x, y. */
const pointBytes = 65;
const authBytes = 16;

/** Returns the bytes of a point on the curve. @throws AppError `invalid_argument` */
function parseKeys(p256dh: string, auth: string): { readonly p256dh: Buffer; readonly auth: Buffer } {
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') };
  const isSized = keys.p256dh.length === pointBytes && keys.p256dh[0] === 4 && keys.auth.length === authBytes;
  if (!isSized || !isOnCurve(keys.p256dh)) throw new AppError('invalid_argument', refusals.keys);
  return keys;
}

function isOnCurve(point: Buffer): boolean {
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33);
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
    return true;
  } catch {
    return false;
  }
}

export function createDevices({ db, clock, config, publicKey }: DeviceDependencies) {
  const { most } = config.limits.pushDevicesOfUser;

  /** @throws AppError `not_allowed`, `invalid_argument`, `conflict` */
  async function save(
    caller: SignedIn,
    args: ArgsOf<'save_push_subscription'>,
  ): Promise<ResultOf<'save_push_subscription'>> {
    if (publicKey === null) throw new AppError('not_allowed', refusals.off);
    if (!isPushEndpoint(args.p_endpoint, config.pushHosts)) {
      throw new AppError('invalid_argument', refusals.host);
    }
    const endpoint = new URL(args.p_endpoint).href;
    const { p256dh, auth } = parseKeys(args.p_p256dh, args.p_auth);
    const { userId, sessionId } = caller;
    return db.transaction(async (tx) => {
      // One writer of a user's devices at a time, so that the limit holds.
      await tx.query(
        `select pg_advisory_xact_lock(hashtext('app.push_subscriptions'), hashtext($1))`,
        [userId],
        'lock_push_devices',
      );
      // The user before the session, as a deletion of the user locks them.
      await tx.query(`select from app.users where id = $1 for key share`, [userId], 'lock_push_user');
      if (!(await lockLiveSession(tx, { userId, sessionId }))) {
        throw new AppError('not_signed_in', texts.authSessionMissing);
      }
      // An earlier one of this session, and what this browser left with another session: what waits for its user goes too.
      await tx.query(
        `delete from app.push_subscriptions where (session_id = $1 and endpoint <> $2)
           or (session_id <> $1 and endpoint = $2 and p256dh = $3 and auth = $4)`,
        [sessionId, endpoint, p256dh, auth],
        'replace_push_subscription',
      );
      const { rows } = await tx.query<{ id: string }>(
        `insert into app.push_subscriptions (user_id, session_id, endpoint, p256dh, auth, server_key, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (endpoint) do update set
           p256dh = excluded.p256dh, auth = excluded.auth, server_key = excluded.server_key
         where push_subscriptions.session_id = excluded.session_id
         returning id`,
        [userId, sessionId, endpoint, p256dh, auth, publicKey, new Date(clock.now())],
        'save_push_subscription',
      );
      const [row] = rows;
      if (!row) throw new AppError('not_allowed', refusals.endpoint);
      const { rows: counts } = await tx.query<{ devices: number }>(
        `select count(*)::int as devices from app.push_subscriptions where user_id = $1`,
        [userId],
        'count_push_devices',
      );
      if ((counts[0]?.devices ?? 0) > most) throw new AppError('conflict', refusals.full(most));
      return row;
    });
  }

  async function list({ userId, sessionId }: SignedIn): Promise<PushDevice[]> {
    const { rows } = await db.query<{ device: PushDevice }>(
      `select json_build_object('id', p.id, 'created_at', p.created_at, 'last_sent_at', p.last_sent_at,
         'user_agent', s.user_agent, 'current', p.session_id = $2) as device
       from app.push_subscriptions p join app.sessions s on s.id = p.session_id
       where p.user_id = $1 order by p.created_at desc, p.id`,
      [userId, sessionId],
      'list_push_devices',
    );
    return rows.map(({ device }) => device);
  }

  /** @throws AppError `not_found` */
  async function remove(
    { userId }: SignedIn,
    { p_id: id }: ArgsOf<'remove_push_device'>,
  ): Promise<ResultOf<'remove_push_device'>> {
    const { rowCount } = await db.query(
      `delete from app.push_subscriptions where id = $1 and user_id = $2`,
      [id, userId],
      'remove_push_device',
    );
    if (rowCount === 0) throw new AppError('not_found', refusals.unknown);
    return { id };
  }

  return { save, list, remove };
}
