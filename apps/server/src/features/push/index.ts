/**
 * Web Push: notifications on a trader's devices while the app is closed. This file assembles the parts; each states its own
 * invariants: `devices.ts` (who gets them), `sender.ts` (the queue), `delivery.ts` (one push), `message.ts` (its content).
 * With `PUSH_HOSTS=none` devices can be listed and removed, and nothing is sent.
 */
import { createDelivery, publicKeyOf } from './delivery.ts';
import type { PushDependencies } from './dependencies.ts';
import { createDevices } from './devices.ts';
import { createSender, type PushSender } from './sender.ts';

const idleSender: PushSender = {
  pass: () => Promise.resolve(),
  start: () => undefined,
  stop: () => Promise.resolve(),
};

export function createPush(deps: PushDependencies) {
  const publicKey = deps.config.pushHosts.length === 0 ? null : publicKeyOf(deps.secrets.vapidKey);
  const devices = createDevices({ ...deps, publicKey });
  return {
    /** What browsers subscribe with; null: Web Push is off. */
    publicKey,
    sender:
      publicKey === null ? idleSender : createSender({ ...deps, publicKey, deliver: createDelivery(deps) }),
    procedures: {
      save_push_subscription: devices.save,
      list_push_devices: devices.list,
      remove_push_device: devices.remove,
    },
  };
}
