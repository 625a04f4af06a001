/**
 * Realtime alone on a real http server: the test owns the bus, and tokens are plain claims; a list of revoked sessions
 * replaces their verification, which other tests cover. Clients are the unmodified realtime-js, and raw sockets for input
 * that it would never send.
 */
import { randomUUID } from 'node:crypto';
import { AppError, type Caller, type RowChange, type Tick, type UserRole } from '@fulcrum/contract';
import { type RealtimeChannel, RealtimeClient } from '@supabase/supabase-js';
import fastify, { type FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { createBus } from '../../src/platform/bus/index.ts';
import { type ManualClock, realTimers, systemClock, type Timers } from '../../src/platform/clock/index.ts';
import type { RealtimeCluster } from '../../src/protocols/realtime/channels.ts';
import { isRealtimePath, type Limits, registerRealtime } from '../../src/protocols/realtime/index.ts';
import { routeUpgrades, takesUpgradeAt } from '../../src/protocols/sockets/upgrades.ts';
import { freePort } from '../harness/free-port.ts';
import { testLog } from '../harness/index.ts';

export const anonKey = 'sb_publishable_test';

export interface TestUser {
  readonly userId: string;
  readonly sessionId: string;
  readonly role: UserRole;
  /** The actor and the impersonation; absent without one. */
  readonly actorId?: string;
  readonly impersonationId?: string;
}
export const userWithRole = (role: UserRole): TestUser => ({
  userId: randomUUID(),
  sessionId: randomUUID(),
  role,
});
/** `staff` who views as `target`: the target's id and role under the session of the staff member. */
export const impersonating = (staff: TestUser, target: TestUser): TestUser => ({
  ...target,
  sessionId: staff.sessionId,
  actorId: staff.userId,
  impersonationId: randomUUID(),
});

/** A token of `holder` that ends at `expiresAtMs`. */
export function tokenOf(holder: TestUser, expiresAtMs = Date.now() + 900_000): string {
  const claims = { ...holder, exp: Math.floor(expiresAtMs / 1000) };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;
}

export function tickOf(symbol: string, price: number): Tick {
  const at = new Date().toISOString();
  return {
    symbol,
    price,
    price_change_percent: null,
    volume: 0,
    quote_volume: 0,
    high_24h: null,
    low_24h: null,
    source: 'simulated',
    state: 'simulated',
    priced_at: at,
    market_time: at,
    market_open: true,
  };
}

/** A wallet row as the engine announces it. */
export function walletChange(userId: string, version: number, more: Partial<RowChange> = {}): RowChange {
  const id = `00000000-0000-4000-8000-${userId.slice(-12)}`;
  const committedAt = new Date().toISOString();
  return {
    table: 'wallets',
    type: 'UPDATE',
    userId,
    record: {
      id,
      user_id: userId,
      balance: 100,
      available_balance: 100 - version / 100,
      currency: 'USDT',
      last_updated: committedAt,
      version,
    },
    oldRecord: { id },
    committedAt,
    ...more,
  };
}

export type RealtimeServer = Awaited<ReturnType<typeof startRealtime>>;

export async function startRealtime(
  options: {
    readonly limits?: Partial<Limits>;
    readonly clock?: ManualClock;
    readonly port?: number;
    readonly isAssigned?: (managerId: string, userId: string) => boolean | Promise<boolean>;
    readonly chatOwner?: (sessionId: string) => Promise<string | null>;
    /** The other gateways of a cluster. */
    readonly cluster?: RealtimeCluster;
    readonly timers?: Timers;
    /** What else is served on the same port. */
    readonly routes?: (app: FastifyInstance) => void;
  } = {},
) {
  const bus = createBus(testLog);
  const app = fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof AppError ? error.status : 500).send({ message: String(error) }),
  );
  const revoked = new Set<string>();
  const ticks = new Map<string, Tick>();
  const clock = options.clock ?? systemClock;
  let isHalted = false;
  const clients = new Set<RealtimeClient>();
  const sockets = new Set<WebSocket>();

  const callerOf = ({ authorization, apikey }: { authorization?: string; apikey?: string }): Caller => {
    if (apikey !== anonKey) throw new AppError('not_signed_in', 'Invalid API key');
    const token = authorization?.replace(/^Bearer /, '');
    if (!token || token === anonKey) return { role: 'anon' };
    const [, claims = ''] = token.split('.');
    const holder = JSON.parse(Buffer.from(claims, 'base64url').toString()) as TestUser & { exp: number };
    const isRevoked = revoked.has(holder.sessionId) || revoked.has(holder.impersonationId ?? '');
    if (isRevoked || holder.exp * 1000 <= clock.now()) {
      throw new AppError('not_signed_in', 'JWT expired');
    }
    const { userId, sessionId, role, actorId = userId, impersonationId = null } = holder;
    return { userId, accountId: userId, actorId, sessionId, role, impersonationId };
  };
  const realtime = registerRealtime(app, {
    upgrades: routeUpgrades(app, takesUpgradeAt(isRealtimePath)),
    identity: { callerOf },
    bus,
    market: {
      ticks: () => [...ticks.values()],
      recordedClock: () => null,
      follow: () => () => {},
      followAll: () => () => {},
    },
    isTradingHalted: () => isHalted,
    clock,
    timers: options.timers ?? realTimers(clock),
    ...(options.cluster && { cluster: options.cluster }),
    log: testLog,
    isAssigned: options.isAssigned ?? (() => false),
    chatOwner: options.chatOwner ?? (async () => null),
    ...(options.limits && { limits: options.limits }),
  });
  options.routes?.(app);
  await app.listen({ host: '127.0.0.1', port: options.port ?? (await freePort()) });
  const { port } = app.server.address() as { port: number };
  const url = `ws://127.0.0.1:${port}/realtime/v1`;

  return {
    app,
    bus,
    realtime,
    url,
    port,
    setPrice(symbol: string, price: number) {
      const tick = tickOf(symbol, price);
      ticks.set(symbol, tick);
      bus.publish('market.tick', tick);
    },
    setHalted(halted: boolean) {
      isHalted = halted;
    },
    announce: (...changes: RowChange[]) => bus.publish('account.changed', { changes }),
    revoke(holder: TestUser) {
      revoked.add(holder.sessionId);
      bus.publish('session.revoked', holder);
    },
    endImpersonation({ impersonationId = '', sessionId }: TestUser) {
      revoked.add(impersonationId);
      bus.publish('impersonation.ended', { impersonationId, sessionId });
    },
    /** The unmodified client, signed in as `holder` when there is one. */
    async client(holder?: TestUser, token = holder && tokenOf(holder)): Promise<RealtimeClient> {
      const made = new RealtimeClient(url, { params: { apikey: anonKey } });
      clients.add(made);
      if (token) await made.setAuth(token);
      return made;
    },
    /** An open socket without a library on top. */
    async raw(version = '2.0.0'): Promise<RawClient> {
      const socket = new WebSocket(`${url}/websocket?apikey=${anonKey}&vsn=${version}`);
      sockets.add(socket);
      const client = new RawClient(socket);
      await new Promise((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      return client;
    },
    async close() {
      for (const client of clients) await client.disconnect();
      for (const socket of sockets) socket.terminate();
      await app.close();
    },
  };
}

type FrameOf<Payload> = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: Payload,
];
export type PresenceState = Record<string, { readonly metas: readonly Record<string, string>[] }>;
/** What the tests read of a frame's payload; which of it is there depends on the event. */
interface Received {
  readonly status: string;
  readonly response: { readonly reason?: string };
  readonly event: string;
  readonly payload: { readonly ticks: readonly Tick[] };
  readonly joins: PresenceState;
  readonly leaves: PresenceState;
}

export class RawClient {
  readonly socket: WebSocket;
  readonly frames: FrameOf<Received>[] = [];
  readonly texts: string[] = [];
  closed: { code: number; reason: string } | null = null;

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (bytes) => {
      this.texts.push(String(bytes));
      this.frames.push(JSON.parse(String(bytes)));
    });
    socket.on('error', () => {});
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  send(...frame: FrameOf<unknown>): void {
    this.socket.send(JSON.stringify(frame));
  }

  /** Joins `topic` and resolves with the reply's payload. */
  async join(topic: string, payload: unknown = {}, ref = '1') {
    this.send(ref, ref, `realtime:${topic}`, 'phx_join', payload);
    return this.reply(ref);
  }

  async reply(ref: string): Promise<Received> {
    const frame = await until(() =>
      this.frames.findLast((candidate) => candidate[3] === 'phx_reply' && candidate[1] === ref),
    );
    return frame[4];
  }
}

/** Subscribes and resolves with the first status, and the reason when it is a refusal. */
export function subscribed(channel: RealtimeChannel): Promise<{ status: string; reason?: string }> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve({ status, ...(error && { reason: error.message }) }));
  });
}

/** Polls until `probe` gives something; fails after `withinMs`. */
export async function until<T>(probe: () => T | undefined | null | false, withinMs = 60_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${probe}`);
    await pause(5);
  }
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
