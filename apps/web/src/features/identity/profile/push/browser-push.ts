/**
 * This browser's side of Web Push: permission, service worker, subscription. Invariants: nothing is registered and no question
 * is asked before the user switches it on; switching it off removes the worker with its subscription.
 *
 * Known limitation: a subscription that the browser replaces by itself is off until it is switched on again.
 */

const workerPath = '/sw.js';

/** Why this browser cannot receive pushes at all; null: it can. */
export type PushObstacle = 'insecure' | 'install' | 'unsupported';

/** iPadOS identifies as a Mac; no Mac has a touch screen. */
const isApple = (): boolean =>
  /\b(iPhone|iPad)\b/.test(navigator.userAgent) ||
  (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

export function findObstacle(): PushObstacle | null {
  if (!isSecureContext) return 'insecure';
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return null;
  // Safari on a phone has these only for an app on the home screen.
  return isApple() ? 'install' : 'unsupported';
}

export const isBlocked = (): boolean => Notification.permission === 'denied';

/** Follows the permission, which the user may change in the browser's own settings. Returns the function that ends it. */
export function onPermissionChange(onChange: () => void): () => void {
  const end = new AbortController();
  navigator.permissions
    .query({ name: 'notifications' })
    .then((status) => status.addEventListener('change', onChange, { signal: end.signal }))
    // A browser without this permission name: the page reads it again at the next visit.
    .catch(() => undefined);
  return () => end.abort();
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export const isSubscribed = async (): Promise<boolean> =>
  Notification.permission === 'granted' && (await findSubscription()) !== null;

const toBase64Url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

/** The arguments of `save_push_subscription`. */
export interface BrowserSubscription {
  readonly p_endpoint: string;
  readonly p_p256dh: string;
  readonly p_auth: string;
}

function toArguments(subscription: PushSubscription): BrowserSubscription {
  const [p256dh, auth] = [subscription.getKey('p256dh'), subscription.getKey('auth')];
  if (p256dh === null || auth === null) throw new Error('The browser gave no keys');
  return { p_endpoint: subscription.endpoint, p_p256dh: toBase64Url(p256dh), p_auth: toBase64Url(auth) };
}

/** Asks the user, if the browser has not asked before. Must run in the user's click. */
export const askPermission = (): Promise<NotificationPermission> => Notification.requestPermission();

/** Registers the worker and subscribes with the server's key; a subscription of another key makes room. */
export async function subscribe(serverKey: string): Promise<BrowserSubscription> {
  await navigator.serviceWorker.register(workerPath);
  const { pushManager } = await navigator.serviceWorker.ready;
  const former = await pushManager.getSubscription();
  const formerKey = former?.options.applicationServerKey;
  if (former && formerKey && toBase64Url(formerKey) === serverKey) return toArguments(former);
  await former?.unsubscribe();
  return toArguments(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey }));
}

/** Also ends the subscription. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(workerPath);
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await registration?.unregister();
}
