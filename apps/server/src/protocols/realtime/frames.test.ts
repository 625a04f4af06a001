import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decode, encode, SharedFrame, versions } from './frames.ts';

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

  test('a client broadcast is read as realtime-js packs it', () => {
    const texts = ['1', '7', 'realtime:prices', 'tick', '{"persist":true}'];
    const lengths = texts.map((part) => Buffer.byteLength(part));
    const bytes = Buffer.concat([
      Buffer.from([3, ...lengths, 1]),
      Buffer.from(texts.join('')),
      Buffer.from('{}'),
    ]);
    expect(decode(bytes, true, '2.0.0')).toEqual({
      joinRef: '1',
      ref: '7',
      topic: 'realtime:prices',
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'tick' },
    });
    expect(decode(bytes.subarray(0, 20), true, '2.0.0')).toBeNull();
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

  test('a shared frame is encoded once per version', () => {
    const frame = new SharedFrame('realtime:prices', 'broadcast', { n: 1 });
    expect(frame.bytes('2.0.0')).toBe(frame.bytes('2.0.0'));
    expect(frame.bytes('1.0.0')).not.toBe(frame.bytes('2.0.0'));
    expect(String(frame.bytes('2.0.0'))).toBe('[null,null,"realtime:prices","broadcast",{"n":1}]');
  });
});
