/** The devices that get a trader's notifications while the app is closed (Web Push). */
import { z } from 'zod';
import { id } from '../columns.ts';
import { command, query } from './procedure.ts';

const pushDevice = z.object({
  id,
  created_at: z.string(),
  /** When a push service last accepted a notification for it; null: none so far. */
  last_sent_at: z.string().nullable(),
  user_agent: z.string().nullable(),
  /** The device of this request's session. */
  current: z.boolean(),
});
export type PushDevice = z.infer<typeof pushDevice>;

/**
 * Stores this browser's push subscription for the caller's session, in place of an earlier one. A repeat changes nothing; the
 * end of the session deletes it.
 */
export const savePushSubscription = command('save_push_subscription', {
  roles: ['trader'],
  args: z.strictObject({
    /** The address that the browser's push service gave it, on one of `PUSH_HOSTS`. */
    p_endpoint: z.string().min(1).max(1024),
    /** The browser's public P-256 key, an uncompressed point of 65 bytes, base64url. */
    p_p256dh: z.base64url().length(87),
    /** The shared secret of RFC 8291, 16 bytes, base64url. */
    p_auth: z.base64url().length(22),
  }),
  result: z.object({ id }),
});

/** The caller's devices, the newest first. */
export const listPushDevices = query('list_push_devices', { roles: ['trader'], result: z.array(pushDevice) });

/** Deletes one of the caller's own devices with what waits for it. */
export const removePushDevice = command('remove_push_device', {
  roles: ['trader'],
  args: z.strictObject({ p_id: id }),
  result: z.object({ id }),
});
