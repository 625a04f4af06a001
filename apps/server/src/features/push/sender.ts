/**
 * Delivers the queue `app.push_deliveries`, whose rows a trigger writes in the transaction of a notification. Invariants: a
 * committed notification is sent at least once, through restarts and kills, unless it expires or its device goes; of several
 * processes one sends a row (its lease); no request waits for a delivery; a pass is bounded.
 *
 * Known limitation: a push is sent again when the server dies between its delivery and the record of it. The repeat carries
 * the same topic and tag, so the device shows one notification.
 */
import { hourMs, minuteMs } from '@fulcrum/domain';
import { isPushEndpoint } from '../../platform/config/push.ts';
import { sessionLifetimeMs } from '../identity/index.ts';
import { type createDelivery, type Outcome, pushLifetimeMs } from './delivery.ts';
import type { PushDependencies, PushNotification, PushTarget } from './dependencies.ts';

const second = 1000;
const batchSize = 8;
const batchesMax = 20;
/** Pushes yield to the work of requests: changes gather before a pass. */
const wakeAfterMs = 500;
const sendEveryMs = 10 * second;
const pruneEveryMs = hourMs;
/** No other process takes a row during this lease, which is longer than a delivery. */
const leaseMs = minuteMs;
/** Waits after the first, second, … failed try. */
const backOffMs = [10, 30, 60, 300, 900].map((seconds) => seconds * second);
const attemptsMax = backOffMs.length + 1;
/** The bounds of a push service's own `Retry-After`. */
const retryAfterMinMs = 10 * second;
const retryAfterMaxMs = hourMs;

interface LeasedPush extends PushTarget, PushNotification {
  readonly subscriptionId: string;
  readonly serverKey: string;
  readonly signedInAt: Date;
  /** Tries so far, this one included. */
  readonly attempts: number;
}

export interface PushSender {
  /** Sends what is due and resolves when that is done; never rejects. */
  pass(): Promise<void>;
  start(): void;
  /** Waits for what is being sent. */
  stop(): Promise<void>;
}

export function createSender(
  deps: Omit<PushDependencies, 'secrets' | 'outbound'> & {
    readonly publicKey: string;
    readonly deliver: ReturnType<typeof createDelivery>;
  },
): PushSender {
  const { db, bus, clock, timers, log, config, publicKey, deliver } = deps;
  const stops: (() => void)[] = [];
  let running: Promise<void> | null = null;
  let cancelWake: (() => void) | null = null;
  let stopped = false;
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  const inMs = (ms: number) => new Date(clock.now() + ms);

  /** The try is counted and the next one set before the push leaves, so a kill repeats it. */
  async function leaseDue(): Promise<LeasedPush[]> {
    const { rows } = await db.query<LeasedPush>(
      `with due as (
         select subscription_id, notification_id from app.push_deliveries where next_attempt_at <= $1
         order by next_attempt_at limit ${batchSize} for update skip locked
       ), leased as (
         update app.push_deliveries d set attempts = d.attempts + 1, next_attempt_at = $2
         from due where d.subscription_id = due.subscription_id and d.notification_id = due.notification_id
         returning d.subscription_id, d.notification_id, d.attempts
       )
       select l.subscription_id as "subscriptionId", l.attempts, p.endpoint, p.p256dh, p.auth,
         p.server_key as "serverKey", s.created_at as "signedInAt",
         n.id, n.kind, n.message, n.symbol, n.created_at as "createdAt", a.id as "accountId", a.name as "accountName"
       from leased l
       join app.push_subscriptions p on p.id = l.subscription_id
       join app.sessions s on s.id = p.session_id
       join app.notifications n on n.id = l.notification_id
       left join app.trading_accounts a on a.id = n.user_id and a.kind <> 'main'`,
      [inMs(0), inMs(leaseMs)],
      'claim_pushes',
    );
    return rows;
  }

  /** Whether a push may go there at all: the session has ended, or the operator changed the hosts or the key. */
  const isUsable = ({ signedInAt, endpoint, serverKey }: LeasedPush): boolean =>
    signedInAt.getTime() > clock.now() - sessionLifetimeMs &&
    serverKey === publicKey &&
    isPushEndpoint(endpoint, config.pushHosts);

  async function attempt(leased: LeasedPush): Promise<Outcome> {
    if (!isUsable(leased)) return { outcome: 'gone' };
    if (leased.createdAt.getTime() < clock.now() - pushLifetimeMs) {
      return { outcome: 'refused', reason: 'the notification is too old' };
    }
    return deliver(leased, leased);
  }

  async function record(leased: LeasedPush, outcome: Outcome): Promise<void> {
    const key = [leased.subscriptionId, leased.id];
    if (outcome.outcome === 'gone') {
      await db.query(
        `delete from app.push_subscriptions where id = $1 and endpoint = $2`,
        [leased.subscriptionId, leased.endpoint],
        'end_push_subscription',
      );
      return;
    }
    if (outcome.outcome === 'failed' && leased.attempts < attemptsMax) {
      const waitMs = backOffMs[leased.attempts - 1] ?? leaseMs;
      const retryAfterMs = Math.min(Math.max(outcome.retryAfterMs ?? 0, retryAfterMinMs), retryAfterMaxMs);
      await db.query(
        `update app.push_deliveries set next_attempt_at = $3 where subscription_id = $1 and notification_id = $2`,
        [...key, inMs(Math.max(waitMs, retryAfterMs))],
        'postpone_push',
      );
      return;
    }
    // Two transactions: together they could block a log-out, which locks the subscription before its queue.
    if (outcome.outcome === 'sent') {
      await db.query(
        `update app.push_subscriptions set last_sent_at = $2 where id = $1`,
        [leased.subscriptionId, inMs(0)],
        'mark_push_sent',
      );
    }
    await db.query(
      `delete from app.push_deliveries where subscription_id = $1 and notification_id = $2`,
      key,
      'finish_push',
    );
  }

  /** Without the database nothing can be recorded; the lease runs out and the push is taken up again. */
  async function send(leased: LeasedPush): Promise<Outcome['outcome']> {
    const { host } = new URL(leased.endpoint);
    try {
      const outcome = await attempt(leased);
      if (outcome.outcome === 'failed' || outcome.outcome === 'refused') {
        const { reason } = outcome;
        log.warn({ notification: leased.id, host, attempts: leased.attempts, reason }, 'a push was not sent');
      }
      await record(leased, outcome);
      return outcome.outcome;
    } catch (error) {
      log.warn({ err: error, notification: leased.id, host }, 'a push failed');
      return 'failed';
    }
  }

  async function run(): Promise<void> {
    for (let round = 0; round < batchesMax && !stopped; round += 1) {
      const outcomes = await Promise.all((await leaseDue()).map(send));
      // With all of them failed the network is down: the others need not find that out one by one.
      if (outcomes.length < batchSize || outcomes.every((outcome) => outcome === 'failed')) break;
    }
    if (clock.now() - prunedAtMs < pruneEveryMs) return;
    prunedAtMs = clock.now();
    await db.query(
      `delete from app.push_subscriptions p using app.sessions s
       where s.id = p.session_id and (s.created_at <= $1 or p.server_key <> $2)`,
      [inMs(-sessionLifetimeMs), publicKey],
      'prune_push_subscriptions',
    );
  }

  async function pass(): Promise<void> {
    while (running !== null) await running;
    if (stopped) return;
    running = run().catch((error: Error) => {
      // Nothing is lost: what was not recorded as sent is taken up again.
      if (!stopped) log.warn({ err: error }, 'sending pushes failed');
    });
    await running;
    running = null;
  }

  function wake(): void {
    cancelWake ??= timers.after(wakeAfterMs, () => {
      cancelWake = null;
      void pass();
    });
  }

  return {
    pass,
    start() {
      stops.push(
        bus.subscribe('account.changed', ({ changes }) => {
          if (changes.some(({ table, type }) => table === 'notifications' && type === 'INSERT')) wake();
        }),
        timers.every(sendEveryMs, () => void pass()),
      );
      wake();
    },
    async stop() {
      stopped = true;
      for (const stop of stops.splice(0)) stop();
      cancelWake?.();
      await running;
    },
  };
}
