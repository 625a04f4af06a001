/**
 * Sends one push: encrypted for the device (RFC 8291), signed with the server's key (RFC 8292). The outcome is a value: a
 * push service that fails is part of normal operation. Invariant: nothing but ciphertext, the notification's id and its
 * urgency reaches the push service.
 */
import { createECDH } from 'node:crypto';
import { hourMs } from '@fulcrum/domain';
import webPush from 'web-push';
import { OutboundError } from '../../platform/outbound/index.ts';
import type { PushDependencies, PushNotification, PushTarget } from './dependencies.ts';
import { isUrgent, writeMessage } from './message.ts';

export type Outcome =
  | { readonly outcome: 'sent' }
  /** The browser or its user ended the subscription. */
  | { readonly outcome: 'gone' }
  /** No repeat can succeed. */
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterMs: number | null };

const timeoutMs = 10_000;
/** Later a notification is no news, neither here nor at a push service that waits for the device; the app's list has it. */
export const pushLifetimeMs = 6 * hourMs;

/** The public key to a private one, both base64url. */
export function publicKeyOf(vapidKey: string): string {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(vapidKey, 'base64url');
  return pair.getPublicKey('base64url');
}

/** Seconds or a date (RFC 9110); null for another text. */
function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

export function createDelivery(deps: Pick<PushDependencies, 'config' | 'secrets' | 'outbound' | 'clock'>) {
  const { config, secrets, outbound, clock } = deps;
  const publicKey = publicKeyOf(secrets.vapidKey);
  // Whom the operator of a push service asks about this server.
  const subject = `mailto:${config.contactEmail ?? config.mailFrom.address}`;

  return async (target: PushTarget, notification: PushNotification): Promise<Outcome> => {
    const { endpoint, headers, body } = webPush.generateRequestDetails(
      {
        endpoint: target.endpoint,
        keys: { p256dh: target.p256dh.toString('base64url'), auth: target.auth.toString('base64url') },
      },
      writeMessage(notification),
      {
        vapidDetails: { subject, publicKey, privateKey: secrets.vapidKey },
        contentEncoding: 'aes128gcm',
        TTL: pushLifetimeMs / 1000,
        urgency: isUrgent(notification) ? 'high' : 'normal',
        // A repeat replaces what still waits for the device. 32 characters of base64url at most.
        topic: notification.id.replaceAll('-', ''),
      },
    );
    try {
      const answer = await outbound.post(endpoint, {
        timeoutMs,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body,
      });
      return toOutcome(answer.status, parseRetryAfter(answer.headers['retry-after'], clock.now()));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { outcome: 'failed', reason: error.message, retryAfterMs: null };
    }
  };
}

function toOutcome(status: number, retryAfterMs: number | null): Outcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  const reason = `the push service answered ${status}`;
  if (status === 429 || status >= 500) return { outcome: 'failed', reason, retryAfterMs };
  return { outcome: 'refused', reason };
}
