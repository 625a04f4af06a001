/** What the parts of Web Push share. */
import type { Config } from '../../platform/config/index.ts';
import type { Secrets } from '../../platform/config/secrets.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Services } from '../../platform/services.ts';

export type PushDependencies = Services & {
  readonly config: Pick<Config, 'pushHosts' | 'limits' | 'contactEmail' | 'mailFrom'>;
  readonly secrets: Pick<Secrets, 'vapidKey'>;
  readonly outbound: Pick<Outbound, 'post'>;
};

/** A device as its push service and its browser know it. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: Buffer;
  readonly auth: Buffer;
}

/** A notification that goes to a device. */
export interface PushNotification {
  readonly id: string;
  readonly kind: string;
  readonly message: string;
  readonly symbol: string | null;
  readonly createdAt: Date;
  /** The trading account that it is about; null for the main account and for what is about the user. */
  readonly accountId: string | null;
  readonly accountName: string | null;
}
