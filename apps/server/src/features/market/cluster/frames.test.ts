import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameOrder, RecentFrames } from './frames.ts';
import type { Frame, WirePrice } from './wire.ts';

const frame = (term: number, seq: number, ticks = 0): Frame => ({
  ...{ term, seq, at: 1_000_000 + 20 * seq },
  ticks: Array.from({ length: ticks }, () => ({}) as WirePrice),
});

function drain(order: FrameOrder): number[] {
  const taken: number[] = [];
  for (let next = order.take(); next; next = order.take()) taken.push(next.seq);
  return taken;
}

const following = (term: number, seq: number): FrameOrder => {
  const order = new FrameOrder();
  order.jumpTo({ term, seq });
  return order;
};

describe('the order of frames', () => {
  test('nothing is applied before the first snapshot', () => {
    const order = new FrameOrder();
    order.offer(frame(1, 1));
    expect(drain(order)).toEqual([]);
    expect(order.isBehind()).toBe(true);
    expect(order.jumpTo({ term: 1, seq: 0 })).toBe(true);
    expect(drain(order)).toEqual([1]);
    expect(order.isBehind()).toBe(false);
  });

  test('the loss of any single frame holds back what follows until it comes', () => {
    const all = [1, 2, 3, 4, 5, 6];
    for (const lost of all.slice(0, -1)) {
      const order = following(1, 0);
      for (const seq of all) if (seq !== lost) order.offer(frame(1, seq));
      expect(drain(order)).toEqual(all.filter((seq) => seq < lost));
      expect(order.isBehind()).toBe(true);
      order.offer(frame(1, lost));
      expect(drain(order)).toEqual(all.filter((seq) => seq >= lost));
      expect(order.isBehind()).toBe(false);
    }
  });

  test('a frame that comes twice is applied once', () => {
    const order = following(1, 0);
    for (const seq of [1, 1, 2]) order.offer(frame(1, seq));
    expect(drain(order)).toEqual([1, 2]);
    order.offer(frame(1, 1));
    expect(drain(order)).toEqual([]);
    expect(order.isBehind()).toBe(false);
  });

  test('a later term ends the one that is followed at once; an earlier one is ignored', () => {
    const order = following(1, 7);
    order.offer(frame(2, 4));
    order.offer(frame(1, 8));
    expect(drain(order)).toEqual([]);
    expect(order.isBehind()).toBe(true);
    expect(order.jumpTo({ term: 1, seq: 9 })).toBe(false);
    expect(order.jumpTo({ term: 2, seq: 3 })).toBe(true);
    expect(drain(order)).toEqual([4]);
    order.offer(frame(1, 5));
    expect(drain(order)).toEqual([]);
    expect(order.position).toEqual({ term: 2, seq: 4 });
  });

  test('a snapshot steps over a gap, but never back', () => {
    const order = following(1, 3);
    for (const seq of [6, 7, 9]) order.offer(frame(1, seq));
    expect(order.jumpTo({ term: 1, seq: 2 })).toBe(false);
    expect(order.jumpTo({ term: 1, seq: 6 })).toBe(true);
    expect(drain(order)).toEqual([7]);
  });

  test('whatever is lost, repeated or late, each frame is applied once and in order', () => {
    const steps = fc.array(
      fc.record({
        outcome: fc.constantFrom('arrives', 'is lost', 'comes twice', 'is late'),
        repairs: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (messages) => {
        const [order, recent] = [following(1, 0), new RecentFrames()];
        const applied: number[] = [];
        const late: Frame[] = [];
        const repair = () => {
          for (const missing of recent.after(order.position?.seq ?? 0) ?? []) order.offer(missing);
          applied.push(...drain(order));
        };
        for (const [i, { outcome, repairs }] of messages.entries()) {
          const sent = frame(1, i + 1);
          recent.push(sent);
          if (outcome === 'arrives' || outcome === 'comes twice') order.offer(sent);
          if (outcome === 'comes twice') order.offer(sent);
          if (outcome === 'is late') late.push(sent);
          else for (const earlier of late.splice(0)) order.offer(earlier);
          applied.push(...drain(order));
          if (repairs && order.isBehind()) repair();
        }
        repair();
        expect(applied).toEqual(messages.map((_, i) => i + 1));
      }),
    );
  });
});

describe('the frames that a leader keeps', () => {
  test('ten seconds of them, and nothing of what is older or yet to come', () => {
    const recent = new RecentFrames();
    expect(recent.after(0)).toBeNull();
    for (let seq = 1; seq <= 600; seq += 1) recent.push(frame(1, seq));
    expect(recent.after(10)).toBeNull();
    expect(recent.after(600)).toEqual([]);
    expect(recent.after(601)).toBeNull();
    expect(recent.after(598)?.map(({ seq }) => seq)).toEqual([599, 600]);
    expect(recent.after(99)?.at(0)?.seq).toBe(100);
  });

  test('an answer holds at least one frame, and no more than a message does', () => {
    const recent = new RecentFrames();
    for (let seq = 1; seq <= 10; seq += 1) recent.push(frame(1, seq, seq === 5 ? 2_000 : 300));
    expect(recent.after(0)?.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(recent.after(4)?.map(({ seq }) => seq)).toEqual([5]);
  });
});
