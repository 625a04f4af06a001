/** The link of a cluster's processes over a real NATS: what arrives, what is refused, and what an outage does. */
import { createSecretKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Msg } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.ts';
import { NoReply, NoResponders } from '../../src/platform/cluster/link.ts';
import type { NatsLink } from '../../src/platform/cluster/nats-link.ts';
import { FrameWriter } from '../../src/platform/cluster/signed-frames.ts';
import { eventually } from '../harness/eventually.ts';
import { startLossyLine } from '../harness/lossy-line.ts';
import { hasNats, login, type NatsServer, startNats } from '../harness/nats-server.ts';

/** Everything that a link hears on a subject. */
function receive(link: NatsLink, subject: string) {
  const received: { payload: unknown; subject: string }[] = [];
  link.subscribe(subject, (payload, of) => received.push({ payload, subject: of }));
  return received;
}

/** Resolves once `to` hears what `from` publishes: NATS knows its subscriptions. */
async function untilReceived(from: NatsLink, to: NatsLink): Promise<void> {
  let isReceived: boolean = false;
  const end = to.subscribe(`ready.${to.processId}`, () => {
    isReceived = true;
  });
  await eventually(() => {
    from.publish(`ready.${to.processId}`, null);
    expect(isReceived).toBe(true);
  });
  end();
}

describe.skipIf(!hasNats)('the link over NATS', () => {
  let nats: NatsServer;
  beforeEach(async () => {
    nats = await startNats();
  });
  afterEach(() => nats.dispose());

  const pair = () => Promise.all([nats.link(), nats.link()]);
  const outsider = () =>
    connect({ servers: `127.0.0.1:${nats.port}`, user: login.user, pass: login.password });

  test('what a process publishes arrives at the others, in order and once each', async () => {
    const [one, other] = await pair();
    const [own, exact, wide] = [
      receive(one, 'acct.>'),
      receive(other, 'acct.7.u'),
      receive(other, 'acct.*.u'),
    ];
    await untilReceived(one, other);
    for (let n = 0; n < 500; n += 1) one.publish('acct.7.u', { n });
    one.publish('acct.8.v', { n: -1 });
    one.publish('acct.8.u', { n: 500 });
    await eventually(() => expect(wide).toHaveLength(501));
    expect(wide.map(({ payload }) => payload)).toEqual(Array.from({ length: 501 }, (_, n) => ({ n })));
    expect(wide.at(-1)?.subject).toBe('acct.8.u');
    expect(exact).toHaveLength(500);
    expect(own).toEqual([]);
    expect(other.state().dropped).toEqual({ forged: 0, unreadable: 0, repeated: 0, late: 0, unsent: 0 });
  });

  test('what comes by several subscriptions of one listener is read once, and by another listener again', async () => {
    const [one, other] = await pair();
    const received: unknown[] = [];
    const listener = (payload: unknown) => received.push(payload);
    other.subscribe('acct.>', listener);
    other.subscribe('acct.*.u', listener);
    await untilReceived(one, other);
    const parse = vi.spyOn(JSON, 'parse');
    const reads = () => parse.mock.calls.filter(([text]) => String(text).includes('a row of u')).length;
    const before = other.state().received;
    for (let n = 0; n < 20; n += 1) one.publish('acct.7.u', { n, of: 'a row of u' });
    await eventually(() => expect(other.state().received - before).toBe(40));
    expect([received.length, reads()]).toEqual([20, 20]);
    const beside = receive(other, 'acct.*.u');
    await untilReceived(one, other);
    one.publish('acct.7.u', { n: 20, of: 'a row of u' });
    await eventually(() => expect(beside).toHaveLength(1));
    expect([received.length, reads()]).toEqual([21, 22]);
    parse.mockRestore();
    expect(other.state().dropped).toEqual({ forged: 0, unreadable: 0, repeated: 0, late: 0, unsent: 0 });
  });

  test('a request is answered, the lack of a server is known at once, and a handler that throws answers nothing', async () => {
    const [one, other] = await pair();
    other.serve('sum', (payload) => (payload as number[]).reduce((sum, n) => sum + n, 0));
    other.serve('later', async () => {
      await sleep(20);
      return { at: 'last' };
    });
    const end = other.serve('broken', () => {
      throw new Error('broken');
    });
    await untilReceived(one, other);
    expect(await one.request('sum', [1, 2, 3], 2_000)).toBe(6);
    expect(await one.request('later', null, 2_000)).toEqual({ at: 'last' });
    const startedAt = performance.now();
    await expect(one.request('nobody', null, 10_000)).rejects.toThrow(NoResponders);
    await expect(one.request('broken', null, 100)).rejects.toThrow(NoReply);
    end();
    await eventually(() => expect(one.request('broken', null, 1_000)).rejects.toThrow(NoResponders));
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });

  test('messages of several megabytes arrive whole between others, in both directions', async () => {
    const [one, other] = await pair();
    const received = receive(other, 'big');
    other.serve('echo', (payload) => payload);
    await untilReceived(one, other);
    const big = 'é'.repeat(1_500_000);
    const sizes = () =>
      received.map(({ payload }) => {
        const { n, big: text = '' } = payload as { n: number; big?: string };
        return [n, text.length];
      });
    // A machine that is busy for longer than two pings loses the connection, and messages with it.
    await eventually(async () => {
      received.length = 0;
      one.publish('big', { n: 0 });
      one.publish('big', { n: 1, big });
      one.publish('big', { n: 2 });
      const [first, second] = await Promise.all([
        one.request('echo', { big }, 60_000),
        one.request('echo', { small: 1 }, 60_000),
      ]);
      expect((first as { big: string }).big === big).toBe(true);
      expect(second).toEqual({ small: 1 });
      expect(sizes()).toEqual([
        [0, 0],
        [1, big.length],
        [2, 0],
      ]);
    });
    expect(() => one.publish('big', 'x'.repeat(33 * 1024 * 1024))).toThrow(RangeError);
  });

  test('forged, replayed, redirected and unreadable messages are dropped and counted', async () => {
    const [one, other] = await pair();
    const received = receive(other, 'tell.>');
    let served = 0;
    other.serve('cmd.1', () => {
      served += 1;
      return 'done';
    });
    const attacker = await outsider();
    const seen: Msg[] = [];
    attacker.subscribe('>', { callback: (_error, message) => void seen.push(message) });
    await attacker.flush();
    await untilReceived(one, other);
    one.publish('tell.slots', { n: 1 });
    expect(await one.request('cmd.1', { order: 1 }, 2_000)).toBe('done');
    const find = (subject: string) => seen.find((message) => message.subject.endsWith(subject))!;
    await eventually(() => expect(find('.cmd.1')).toBeDefined());
    const [hint, command] = [find('.tell.slots'), find('.cmd.1')];
    expect(received).toEqual([{ subject: 'tell.slots', payload: { n: 1 } }]);

    // As it was; with a part changed; under another subject; for another reply; without a form.
    attacker.publish(hint.subject, hint.data);
    attacker.publish(command.subject, command.data, { reply: command.reply! });
    const changed = Buffer.from(hint.data.toString().replace('"n":1', '"n":9'));
    attacker.publish(hint.subject, Buffer.from(changed));
    const last = Buffer.from(hint.data);
    last[last.length - 2]! ^= 1;
    attacker.publish(hint.subject, last);
    attacker.publish(hint.subject.replace('slots', 'halts'), hint.data);
    attacker.publish(command.subject, command.data, { reply: 'attacker.inbox' });
    const stranger = new FrameWriter(createSecretKey(Buffer.alloc(32, 8)), one.processId, systemClock);
    for (const frame of stranger.write(hint.subject, '', { n: 2 })) attacker.publish(hint.subject, frame);
    for (const text of ['', 'hello', `2 mac ${one.processId} 99 0 0 1\n{}`])
      attacker.publish(hint.subject, text);
    await attacker.flush();
    await eventually(() =>
      expect(other.state().dropped).toEqual({ forged: 5, unreadable: 3, repeated: 2, late: 0, unsent: 0 }),
    );
    expect([received.length, served]).toEqual([1, 1]);
    // The process itself goes on.
    one.publish('tell.slots', { n: 3 });
    await eventually(() => expect(received.at(-1)?.payload).toEqual({ n: 3 }));
    await attacker.close();
  });

  test('a message recorded long ago reaches no process that was started since', async () => {
    const past = { now: () => Date.now() - 11_000 };
    const [old, current] = await Promise.all([nats.link({ clock: past }), nats.link()]);
    const received = receive(current, 'tell.>');
    const end = current.serve('cmd.1', () => 'done');
    await eventually(() => {
      old.publish('tell.slots', {});
      expect(current.state().dropped.late).toBeGreaterThan(0);
    });
    await expect(old.request('cmd.1', {}, 200)).rejects.toThrow(NoReply);
    end();
    expect(received).toEqual([]);
  });

  test('another installation on the same NATS, with or without the same key, receives and does nothing', async () => {
    const [one, other] = await Promise.all([nats.link(), nats.link({ installation: 'second' })]);
    const received = receive(other, 'tell.>');
    other.serve('cmd.1', () => 'done');
    const third = await nats.link({ key: Buffer.alloc(32, 1) });
    const unverified = receive(third, 'tell.>');
    await sleep(100);
    one.publish('tell.slots', {});
    await eventually(() => expect(third.state().dropped.forged).toBe(1));
    await expect(one.request('cmd.1', {}, 1_000)).rejects.toThrow(NoResponders);
    expect([received, unverified]).toEqual([[], []]);
  });

  test('killed and started again: requests under way end at once, nothing is sent later, subscriptions are there again', async () => {
    const [one, other] = await pair();
    const received = receive(other, 'tell.>');
    other.serve('slow', () => new Promise(() => undefined));
    await untilReceived(one, other);
    const changes: boolean[] = [];
    one.onConnection((isConnected) => changes.push(isConnected));
    const underWay = one.request('slow', null, 60_000).catch((error: unknown) => error);
    await nats.kill();
    expect(await underWay).toBeInstanceOf(NoReply);
    expect(one.isConnected()).toBe(false);
    one.publish('tell.slots', { while: 'away' });
    await expect(one.request('slow', null, 60_000)).rejects.toThrow(NoReply);
    await nats.start();
    await eventually(() => expect([one.isConnected(), other.isConnected()]).toEqual([true, true]));
    await untilReceived(one, other);
    one.publish('tell.slots', { while: 'back' });
    await eventually(() => expect(received.length).toBeGreaterThan(0));
    expect(received.map(({ payload }) => payload)).toEqual([{ while: 'back' }]);
    expect(changes).toEqual([false, true]);
    expect(one.state()).toMatchObject({ lostConnections: 1, reason: null, dropped: { unsent: 1 } });
  });

  test('what is subscribed in any moment of a reconnection is subscribed afterwards', async () => {
    const [one, other] = await pair();
    await nats.kill();
    await eventually(() => expect(other.isConnected()).toBe(false));
    // One for each turn of the event loop; the newest ones are of the time in which the connection was being made.
    const newest: { n: number; end: () => void }[] = [];
    const served: number[] = [];
    let isConnected = false;
    other.onConnection(() => {
      isConnected = true;
    });
    const subscribing = (async () => {
      for (let n = 0; !isConnected; n += 1) {
        newest.push({ n, end: other.subscribe(`turn.${n}`, () => served.push(n)) });
        if (newest.length > 2_000) newest.shift()?.end();
        await new Promise(setImmediate);
      }
    })();
    await nats.start();
    await subscribing;
    await eventually(() => expect(one.isConnected()).toBe(true));
    await untilReceived(one, other);
    for (const { n } of newest) one.publish(`turn.${n}`, null);
    await eventually(() => expect(served).toEqual(newest.map(({ n }) => n)));
  });

  test('a NATS that hangs is noticed by its silence; what was sent before arrives when it wakes, what was sent since never', async () => {
    const [one, other] = await pair();
    const received = receive(other, 'tell.>');
    await untilReceived(one, other);
    other.serve('slow', () => new Promise(() => undefined));
    await untilReceived(one, other);
    await nats.hang();
    const hungAt = performance.now();
    one.publish('tell.slots', { n: 'before it was noticed' });
    const underWay = one.request('slow', null, 60_000).catch((error: unknown) => error);
    expect(await underWay).toBeInstanceOf(NoReply);
    const noticedAfterMs = performance.now() - hungAt;
    // Bounds on time are measured elsewhere: this is far from the minutes of the default.
    expect(noticedAfterMs).toBeLessThan(10_000);
    expect(noticedAfterMs).toBeGreaterThan(900);
    one.publish('tell.slots', { n: 'after' });
    await eventually(() => expect(other.isConnected()).toBe(false));
    nats.goOn();
    await eventually(() => expect([one.isConnected(), other.isConnected()]).toEqual([true, true]));
    await untilReceived(one, other);
    expect(received.map(({ payload }) => payload)).not.toContainEqual({ n: 'after' });
  });

  test('a line that loses everything, without an end of the connection, is noticed likewise', async () => {
    const line = await startLossyLine(nats.port);
    const [near, far] = await Promise.all([nats.link(), nats.link({ port: line.port })]);
    const received = receive(far, 'tell.>');
    await untilReceived(near, far);
    line.lose('everything');
    const lostAt = performance.now();
    near.publish('tell.slots', { n: 1 });
    await eventually(() => expect(far.isConnected()).toBe(false));
    expect(performance.now() - lostAt).toBeGreaterThan(900);
    expect(near.isConnected()).toBe(true);
    line.lose('nothing');
    await eventually(() => expect(far.isConnected()).toBe(true));
    await untilReceived(near, far);
    near.publish('tell.slots', { n: 2 });
    await eventually(() => expect(received.map(({ payload }) => payload)).toEqual([{ n: 2 }]));
    await far.stop();
    await line.close();
  });

  test('what is published in the step of a stop still goes out', async () => {
    const [near, far] = await Promise.all([nats.link(), nats.link()]);
    const received = receive(far, 'tell.>');
    await untilReceived(near, far);
    near.publish('tell.slots', { n: 1 });
    near.publish('tell.slots', { n: 2 });
    await near.stop();
    near.publish('tell.slots', { n: 3 });
    await eventually(() => expect(received.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }]));
    expect(near.state().dropped.unsent).toBe(1);
  });

  test('a reader that is too slow loses its connection and learns of it', async () => {
    const small = await startNats('max_payload: 262144\nmax_pending: 262144\nwrite_deadline: "1s"');
    try {
      const line = await startLossyLine(small.port);
      const [near, far] = await Promise.all([small.link(), small.link({ port: line.port })]);
      const received = receive(far, 'price');
      await untilReceived(near, far);
      const changes: boolean[] = [];
      far.onConnection((isConnected) => changes.push(isConnected));
      line.lose('answers');
      const big = 'x'.repeat(200_000);
      for (let n = 0; n < 40; n += 1) near.publish('price', { n, big });
      await eventually(() => expect(changes[0]).toBe(false));
      line.lose('nothing');
      await eventually(() => expect(changes).toEqual([false, true]));
      await untilReceived(near, far);
      near.publish('price', { n: 'after' });
      await eventually(() => expect(received.at(-1)?.payload).toEqual({ n: 'after' }));
      expect(received.length).toBeLessThan(41);
      expect(near.isConnected()).toBe(true);
      await far.stop();
      await line.close();
    } finally {
      await small.dispose();
    }
  });

  test('a start without NATS, or with a wrong password, ends with one line', async () => {
    await expect(nats.link({ password: 'wrong' })).rejects.toThrow(/Authorization Violation/);
    await nats.kill();
    await expect(nats.link()).rejects.toThrow(
      /^NATS_URL: NATS cannot be used: 127\.0\.0\.1:\d+: connect ECONNREFUSED/,
    );
  });
});
