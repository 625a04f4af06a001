import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { message } from '../sockets/message.ts';
import { decode, EncodedPayload, encode, SharedBinary, SharedFrame, versions } from './frames.ts';

const text = (value: unknown) => Buffer.from(JSON.stringify(value));
const join = { joinRef: '1', ref: '2', topic: 'realtime:prices', event: 'phx_join', payload: { a: 1 } };

describe('frames', () => {
  test.each(versions)('version %s is read as it is written', (version) => {
    expect(decode(encode(join, version), false, version)).toEqual(join);
  });

  test('each version has its own form', () => {
    expect(String(encode(join, '2.0.0'))).toBe('["1","2","realtime:prices","phx_join",{"a":1}]');
    expect(decode(encode(join, '2.0.0'), false, '1.0.0')).toBeNull();
    expect(decode(encode(join, '1.0.0'), false, '2.0.0')).toBeNull();
  });

  test('missing refs are null', () => {
    const bare = { topic: 'phoenix', event: 'heartbeat', payload: {} };
    expect(decode(text(bare), false, '1.0.0')).toEqual({ ...bare, joinRef: null, ref: null });
  });

  /** A broadcast as realtime-js packs it in vsn 2.0.0. */
  const pushed = (payload: Buffer, encoding: 0 | 1, metadata = '') => {
    const texts = ['1', '7', 'realtime:prices', 'typing', metadata];
    const lengths = texts.map((part) => Buffer.byteLength(part));
    return Buffer.concat([Buffer.from([3, ...lengths, encoding]), Buffer.from(texts.join('')), payload]);
  };

  test('a client broadcast is read as realtime-js packs it', () => {
    const broadcast = { joinRef: '1', ref: '7', topic: 'realtime:prices', event: 'broadcast' };
    expect(decode(pushed(text({ n: 1 }), 1, '{"persist":true}'), true, '2.0.0')).toEqual({
      ...broadcast,
      payload: { type: 'broadcast', event: 'typing', payload: { n: 1 }, persist: true },
    });
    expect(decode(pushed(Buffer.from([1, 2]), 0), true, '2.0.0')).toEqual({
      ...broadcast,
      payload: { type: 'broadcast', event: 'typing', payload: Buffer.from([1, 2]) },
    });
    expect(decode(pushed(text({ n: 1 }), 1).subarray(0, 20), true, '2.0.0')).toBeNull();
  });

  test('a payload that is declared as JSON and is not makes no frame', () => {
    expect(decode(pushed(Buffer.from('{'), 1), true, '2.0.0')).toBeNull();
    expect(decode(pushed(text({}), 1, '{'), true, '2.0.0')).toBeNull();
    expect(decode(pushed(text({}), 1, '7'), true, '2.0.0')).toBeNull();
  });

  test('metadata cannot override the header', () => {
    const frame = decode(pushed(text({}), 1, '{"event":"tick","type":"system","payload":7}'), true, '2.0.0');
    expect(frame?.payload).toEqual({ type: 'broadcast', event: 'typing', payload: {} });
  });

  test('whatever arrives, decoding does not throw', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 60 }).map((rest) => Uint8Array.from([3, ...rest])),
      fc.json().map((json) => Buffer.from(json)),
    );
    fc.assert(
      fc.property(anything, fc.boolean(), fc.constantFrom(...versions), (bytes, isBinary, version) => {
        const frame = decode(Buffer.from(bytes), isBinary, version);
        expect(frame === null || typeof frame.topic === 'string').toBe(true);
      }),
    );
  });

  /** The payload of a WebSocket message, by a reader of its own. */
  const payloadOf = (bytes: Buffer) => {
    const [, short = 0] = bytes;
    const start = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length =
      start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    expect(bytes.length).toBe(start + length);
    return bytes.subarray(start);
  };

  test('a shared frame is encoded once per version and ref', () => {
    const frame = new SharedFrame('realtime:prices', 'broadcast', { n: 1 });
    expect(frame.bytes('2.0.0', '4')).toBe(frame.bytes('2.0.0', '4'));
    expect(frame.bytes('1.0.0', '4')).not.toBe(frame.bytes('2.0.0', '4'));
    expect(String(payloadOf(frame.bytes('2.0.0', null)))).toBe(
      '[null,null,"realtime:prices","broadcast",{"n":1}]',
    );
  });

  test.each(versions)('version %s of a shared frame reads like any other frame', (version) => {
    const frame = { joinRef: '4', ref: null, topic: 'realtime:"a"', event: 'broadcast', payload: { n: 'ü' } };
    const shared = new SharedFrame(frame.topic, frame.event, frame.payload);
    expect(decode(payloadOf(shared.bytes(version, '4')), false, version)).toEqual(frame);
  });

  test('a payload that was encoded once reads the same on every topic', () => {
    const payload = new EncodedPayload({ n: 'ü' });
    for (const topic of ['realtime:user:1', 'realtime:user:2']) {
      const bytes = new SharedFrame(topic, 'postgres_changes', payload).bytes('2.0.0', '1');
      expect(decode(payloadOf(bytes), false, '2.0.0')).toEqual({
        joinRef: '1',
        ref: null,
        topic,
        event: 'postgres_changes',
        payload: { n: 'ü' },
      });
    }
  });

  test('a message carries its length in the shortest form', () => {
    for (const length of [0, 125, 126, 65_535, 65_536]) {
      const payload = Buffer.alloc(length, 'x');
      expect(payloadOf(message(payload))).toEqual(payload);
    }
    expect(message(Buffer.alloc(1))[0]).toBe(0x81);
    expect(message(Buffer.alloc(1), 'binary')[0]).toBe(0x82);
  });

  test('what is not JSON has a form in version 2.0.0 only', () => {
    const shared = new SharedBinary('realtime:user', 'seen', new Uint8Array([1, 2]));
    expect(shared.bytes('1.0.0')).toBeNull();
    expect([...(shared.bytes('2.0.0')?.subarray(2, 7) ?? [])]).toEqual([4, 13, 4, 0, 0]);
  });
});
