import { expect, test, vi } from 'vitest';
import { createLog } from '../log/index.ts';
import { createBus } from './index.ts';

const revoked = { sessionId: 's', userId: 'u' };

function startBus() {
  const log = createLog({ logLevel: 'silent' });
  const error = vi.spyOn(log, 'error');
  return { bus: createBus(log), error };
}

test('delivers to the topic’s subscribers in order, until they unsubscribe', () => {
  const { bus } = startBus();
  const received: string[] = [];
  const off = bus.subscribe('session.revoked', () => received.push('first'));
  bus.subscribe('session.revoked', () => received.push('second'));
  bus.subscribe('account.changed', () => received.push('other topic'));
  bus.publish('session.revoked', revoked);
  off();
  off();
  bus.publish('session.revoked', revoked);
  expect(received).toEqual(['first', 'second', 'second']);
});

test('logs a subscriber that throws and calls the others', () => {
  const { bus, error } = startBus();
  const after = vi.fn();
  const failure = new Error('broken subscriber');
  bus.subscribe('session.revoked', () => {
    throw failure;
  });
  bus.subscribe('session.revoked', after);
  bus.publish('session.revoked', revoked);
  expect(after).toHaveBeenCalledWith(revoked);
  expect(error).toHaveBeenCalledWith({ err: failure, topic: 'session.revoked' }, expect.any(String));
});

test('subscribing and unsubscribing during a publish concerns the next one', () => {
  const { bus } = startBus();
  const late = vi.fn();
  const off = bus.subscribe('session.revoked', () => {
    off();
    bus.subscribe('session.revoked', late);
  });
  bus.publish('session.revoked', revoked);
  expect(late).not.toHaveBeenCalled();
  bus.publish('session.revoked', revoked);
  expect(late).toHaveBeenCalledOnce();
});

test('what concerns the cluster is relayed after its own subscribers; what comes from there is delivered and not relayed', () => {
  const { bus, error } = startBus();
  const received: string[] = [];
  bus.subscribe('session.revoked', () => received.push('subscriber'));
  bus.relayTo(() => {
    throw new Error('broken relay');
  });
  const end = bus.relayTo((topic) => received.push(topic));
  bus.publish('session.revoked', revoked);
  bus.publish('presence.came', { topic: 'room', userId: 'u' });
  expect(received).toEqual(['subscriber', 'session.revoked']);
  expect(error).toHaveBeenCalledOnce();
  bus.deliver('session.revoked', revoked);
  end();
  bus.publish('session.revoked', revoked);
  expect(received).toEqual(['subscriber', 'session.revoked', 'subscriber', 'subscriber']);
});
