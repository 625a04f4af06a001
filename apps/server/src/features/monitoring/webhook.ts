/**
 * Notifies the operator's webhook (ALERT_WEBHOOK) when a part of the server fails and when it is well again. Invariants: the
 * receiver gets each change at least once, also after a restart, as long as it lasts; a message is signed, and names no account.
 *
 * What was delivered last is in `DATA_DIR/webhook.json`. Each pass compares it with the present state and sends the
 * difference, so there is no queue to lose. A failure that is over before it could be delivered is left out.
 *
 * Known limitation: a message is sent again when the process dies between its delivery and the record of it; `id` is the same.
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minuteMs } from '@fulcrum/domain';
import { z } from 'zod';
import type { Config } from '../../platform/config/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Services } from '../../platform/services.ts';

export const conditionNames = ['database', 'engine', 'ledger', 'feed', 'disk', 'backup'] as const;
type ConditionName = (typeof conditionNames)[number];

/** A part of the server; `reason` is public, and null while `ok`. */
export interface Condition {
  readonly name: ConditionName;
  readonly ok: boolean;
  readonly reason: string | null;
}

const second = 1000;
const checkEveryMs = 5 * second;
const timeoutMs = 10 * second;
/** What usually passes by itself is reported only when it lasts. */
const graceMs: Readonly<Partial<Record<ConditionName, number>>> = { database: minuteMs, feed: minuteMs };
/** Waits after the first, second, … failed try; the last one repeats. */
const backOffMs = [10, 30, 60, 300].map((seconds) => seconds * second);

const deliveredSchema = z.partialRecord(
  z.enum(conditionNames),
  z.object({ reason: z.string(), since: z.iso.datetime() }),
);
/** The failures that the receiver knows of. */
type Delivered = z.infer<typeof deliveredSchema>;

interface WebhookDependencies extends Pick<Services, 'timers' | 'log'> {
  readonly config: Pick<Config, 'dataDir' | 'publicUrl'> & {
    readonly alertWebhook: { readonly url: string; readonly secret: string };
  };
  readonly outbound: Pick<Outbound, 'post'>;
  readonly readConditions: () => Promise<readonly Condition[]>;
}

/** The value of `Fulcrum-Signature`: HMAC-SHA256 of `<seconds>.<body>`, in hexadecimal digits. */
const signatureOf = (secret: string, seconds: number, body: string): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

export function createWebhook({ timers, log, config, outbound, readConditions }: WebhookDependencies) {
  const { url, secret } = config.alertWebhook;
  const file = join(config.dataDir, 'webhook.json');
  let delivered = readDelivered(file);
  const failingSince = new Map<ConditionName, number>();
  let failures = 0;
  let nextTryAt = 0;
  let running: Promise<void> | null = null;
  let cancel = () => {};

  async function send(event: 'raised' | 'cleared', name: ConditionName, reason: string, since: string) {
    const at = new Date(timers.now()).toISOString();
    const id = createHash('sha256').update(`${event} ${name} ${since} ${reason}`).digest('hex').slice(0, 32);
    const text =
      event === 'raised' ? `Fulcrum, ${name}: ${reason}` : `Fulcrum, ${name}: well again (${reason})`;
    const body = JSON.stringify({
      id,
      event,
      condition: name,
      reason,
      since,
      at,
      server: config.publicUrl,
      text,
    });
    const { status } = await outbound.post(url, {
      timeoutMs,
      allowHttp: true,
      body: Buffer.from(body),
      headers: {
        'content-type': 'application/json',
        'fulcrum-signature': signatureOf(secret, Math.floor(timers.now() / second), body),
      },
    });
    if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`);
  }

  function record(next: Delivered): void {
    const draft = `${file}.draft`;
    writeFileSync(draft, JSON.stringify(next), { mode: 0o600 });
    renameSync(draft, file);
    delivered = next;
  }

  async function deliverChange({ name, ok, reason }: Condition): Promise<void> {
    const { [name]: known, ...others } = delivered;
    if (ok) {
      failingSince.delete(name);
      if (known === undefined) return;
      await send('cleared', name, known.reason, known.since);
      return record(others);
    }
    const began = failingSince.get(name) ?? timers.now();
    failingSince.set(name, began);
    if (known?.reason === reason) return;
    if (known === undefined && timers.now() - began < (graceMs[name] ?? 0)) return;
    const failure = { reason: reason ?? 'it fails', since: known?.since ?? new Date(began).toISOString() };
    await send('raised', name, failure.reason, failure.since);
    record({ ...others, [name]: failure });
  }

  async function check(): Promise<void> {
    if (timers.now() < nextTryAt) return;
    try {
      for (const condition of await readConditions()) await deliverChange(condition);
      failures = 0;
    } catch (error) {
      const wait = backOffMs[Math.min(failures, backOffMs.length - 1)] ?? 0;
      failures += 1;
      nextTryAt = timers.now() + wait;
      log.error({ err: error, retryInMs: wait }, 'the alert webhook was not reached');
    }
  }

  /** Compares and sends; one pass at a time. Never rejects. */
  function pass(): Promise<void> {
    running ??= check().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    pass,
    start: (): void => {
      cancel = timers.every(checkEveryMs, () => void pass());
    },
    stop: async (): Promise<void> => {
      cancel();
      await running;
    },
  };
}

/** What the last process delivered; nothing where the file is missing or damaged, so that a failure is rather reported twice. */
function readDelivered(file: string): Delivered {
  try {
    return deliveredSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
