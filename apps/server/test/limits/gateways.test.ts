/** Limits over two gateways of a cluster: a holder gets them once. */
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import { chatLimits } from '@fulcrum/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessages } from '../../src/features/support/messages.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { realTimers, systemClock } from '../../src/platform/clock/index.ts';
import { shareRates } from '../../src/platform/rate-limit/shared-rates.ts';
import { TooManyAttempts } from '../../src/platform/rate-limit/too-many-attempts.ts';
import { createAdmission } from '../../src/protocols/admission.ts';
import { createDoorAdmission, type DoorLimitReached } from '../../src/protocols/exchange/admission.ts';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, testLog } from '../harness/index.ts';
import { hasNats, type NatsServer, startNats } from '../harness/nats-server.ts';

const timers = realTimers(systemClock);
const slow = { burst: 10, perSecond: 0.001 };

describe.skipIf(!hasNats)('rates over two gateways', () => {
  let nats: NatsServer;
  const stops: (() => void)[] = [];
  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) stop();
    await nats.dispose();
  });

  async function gateway() {
    const shared = shareRates({ link: await nats.link(), timers });
    stops.push(shared.stop);
    const admission = createAdmission({ requestsOfUser: slow, requestsOfAddress: slow }, shared);
    const door = createDoorAdmission(
      { weightOfKeys: slow, weightOfAddress: slow, ordersOfKeys: slow },
      shared,
    );
    return { admission, door };
  }
  /** Seconds until the next token, 0 when `take` is allowed. */
  const waitOf = (take: () => unknown): number => {
    try {
      take();
      return 0;
    } catch (error) {
      return (error as TooManyAttempts | DoorLimitReached).retryAfterS;
    }
  };
  const isAllowed = (take: () => unknown): boolean => waitOf(take) === 0;

  test('what one gateway admits is used up at the other; other users and other limits are not', async () => {
    const [one, other] = [await gateway(), await gateway()];
    await eventually(() => {
      one.admission.charge('probe', 1);
      expect(isAllowed(() => other.admission.charge('probe', 10))).toBe(false);
    });
    one.admission.charge('anna', 6);
    one.admission.owe('anna', 4);
    one.door.admitOrders('anna', 7);
    await eventually(() => {
      expect(isAllowed(() => other.admission.charge('anna', 1))).toBe(false);
      // Headers of answers state what was used at all gateways.
      expect(other.door.admitOrders('anna', 0)['x-mbx-order-count-10s']).toBe('7');
    });
    expect(isAllowed(() => other.door.admitOrders('anna', 4))).toBe(false);
    expect(isAllowed(() => other.admission.charge('bert', 10))).toBe(true);
    expect(isAllowed(() => other.door.admit({ weight: 10 }, '192.0.2.1', 'anna'))).toBe(true);
  });

  test('what was taken at both at once is a debt of both', async () => {
    const [one, other] = [await gateway(), await gateway()];
    await eventually(() => {
      one.admission.charge('probe', 1);
      expect(isAllowed(() => other.admission.charge('probe', 10))).toBe(false);
    });
    one.door.admitOrders('carl', 10);
    other.door.admitOrders('carl', 10);
    await eventually(() => {
      for (const { door } of [one, other])
        expect(waitOf(() => door.admitOrders('carl', 1))).toBeGreaterThan(10 / slow.perSecond);
    });
  });
});

describe('messages over two gateways', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  const callerOf = (userId: string, role: 'trader' | 'support'): SignedIn => ({
    ...{ userId, role, actorId: userId, accountId: userId, sessionId: randomUUID() },
    impersonationId: null,
  });
  const gateways = () => [0, 1].map(() => createMessages({ db: server.db, bus: createBus(testLog), timers }));
  async function openSession(): Promise<{ sessionId: string; userId: string }> {
    const { client, userId } = await server.signUpTrader();
    const { data } = await client.rpc('open_chat_session', {}).throwOnError();
    return { sessionId: (data as { id: string }).id, userId };
  }
  /** How many of 40 messages, sent by turns and at once, are written. */
  async function flood(caller: SignedIn, sessionIds: readonly string[]): Promise<number> {
    const at = gateways();
    const sent = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        at[n % 2]!.insert(caller, [
          { session_id: sessionIds[(n >> 1) % sessionIds.length], content: `message ${n}` },
        ]),
      ),
    );
    for (const result of sent)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(TooManyAttempts);
    return sent.filter(({ status }) => status === 'fulfilled').length;
  }

  test('a trader has one pace, however many gateways carry the messages', async () => {
    const { sessionId, userId } = await openSession();
    expect(await flood(callerOf(userId, 'trader'), [sessionId])).toBe(chatLimits.paceMessages);
  });

  test('an agent has one pace over all conversations', async () => {
    const sessions = [await openSession(), await openSession(), await openSession()];
    const agent = await server.signUpTrader();
    await server.db.query(`update app.users set role = 'support' where id = $1`, [agent.userId]);
    const ids = sessions.map(({ sessionId }) => sessionId);
    expect(await flood(callerOf(agent.userId, 'support'), ids)).toBe(chatLimits.paceMessages);
  });
});
