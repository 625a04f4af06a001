/** Push notifications of this browser and of the trader's other devices: what is on, and how to change it. */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from '../../../../shared/query/index.ts';
import { useSignedIn } from '../../../../shared/session/index.ts';
import {
  type CamelCased,
  fromWire,
  loadServerConfig,
  RequestError,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../../../shared/supabase/index.ts';
import {
  askPermission,
  findObstacle,
  isBlocked,
  isSubscribed,
  onPermissionChange,
  type PushObstacle,
  subscribe,
  unsubscribe,
} from './browser-push.ts';

const fetchDevices = (supabase: Supabase, signal: AbortSignal) =>
  unwrap(supabase.rest.rpc('list_push_devices').abortSignal(signal));
type WireDevice = Awaited<ReturnType<typeof fetchDevices>>[number];
export type PushDevice = CamelCased<WireDevice>;

/** `none`: the server sends no pushes. */
export type BrowserState = 'on' | 'off' | 'blocked' | 'none' | PushObstacle;

export interface PushState {
  readonly browser: BrowserState;
  /** The server's public key; null: it sends no pushes. */
  readonly serverKey: string | null;
  readonly devices: readonly PushDevice[];
}

async function readBrowser(serverKey: string | null, devices: readonly PushDevice[]): Promise<BrowserState> {
  if (serverKey === null) return 'none';
  const obstacle = findObstacle();
  if (obstacle !== null) return obstacle;
  if (isBlocked()) return 'blocked';
  // Both sides: a log-out ends the server's, a cleared site the browser's.
  return devices.some(({ current }) => current) && (await isSubscribed()) ? 'on' : 'off';
}

/** Read again on each visit, and when the user changes the browser's permission. */
export function usePushState() {
  const { user, supabase } = useSignedIn();
  const state = useQuery<PushState>({
    queryKey: queryKeys.push(user.id),
    queryFn: async ({ signal }) => {
      const [{ pushKey }, rows] = await Promise.all([loadServerConfig(), fetchDevices(supabase, signal)]);
      const devices = rows.map(fromWire);
      return { browser: await readBrowser(pushKey, devices), serverKey: pushKey, devices };
    },
    staleTime: 0,
  });
  const { refetch } = state;
  useEffect(
    () => (findObstacle() === null ? onPermissionChange(() => void refetch()) : undefined),
    [refetch],
  );
  return state;
}

/** Resolves when the device is gone, by this request or before. @throws RequestError */
export async function removeDevice(supabase: Supabase, id: string): Promise<void> {
  try {
    await unwrapOrNull(supabase.rest.rpc('remove_push_device', { p_id: id }));
  } catch (cause) {
    if (!(cause instanceof RequestError && cause.code === 'not_found')) throw cause;
  }
}

/**
 * Returns why it stays off, as a text; null: it is on.
 * @throws RequestError, or the browser's own error
 */
export async function switchOn(supabase: Supabase, serverKey: string): Promise<string | null> {
  const permission = await askPermission();
  if (permission === 'denied') return null;
  if (permission === 'default')
    return 'The browser needs your permission first. Switch it on again and choose Allow.';
  const save = async () => unwrap(supabase.rest.rpc('save_push_subscription', await subscribe(serverKey)));
  try {
    await save().catch(async (cause: unknown) => {
      if (!(cause instanceof RequestError && cause.code === 'not_allowed')) throw cause;
      // Another session has this subscription with other keys: a new one is free.
      await unsubscribe();
      await save();
    });
  } catch (cause) {
    await unsubscribe().catch(() => undefined);
    throw cause;
  }
  return null;
}

/** The server's side first: what fails afterwards leaves a browser that the server does not send to. */
export async function switchOff(supabase: Supabase, devices: readonly PushDevice[]): Promise<null> {
  const current = devices.find((device) => device.current);
  if (current) await removeDevice(supabase, current.id);
  await unsubscribe();
  return null;
}
