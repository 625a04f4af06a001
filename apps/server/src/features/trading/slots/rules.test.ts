import { expect, test } from 'vitest';
import { createManualClock } from '../../../platform/clock/index.ts';
import { allSlots } from '../engine/slots.ts';
import {
  findDeadEngines,
  type Poller,
  planSlots,
  type SeenEngine,
  type SlotView,
  Suspects,
  slotsPerMoveMax,
  slotsToGive,
} from './rules.ts';

const engine = (id: number, more: Partial<SeenEngine> = {}): SeenEngine => ({
  ...{ id, processId: `process-${id}`, silentMs: 100, isLocked: true, takesSlots: true },
  ...more,
});
/** Slots go to the engines as `ownerOf` says. */
const viewOf = (engines: readonly SeenEngine[], ownerOf: (slot: number) => number): SlotView => ({
  engines,
  owners: allSlots.map(ownerOf),
});
const countsOf = ({ owners }: SlotView): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const owner of owners) counts[owner] = (counts[owner] ?? 0) + 1;
  return counts;
};
const withPlan = (view: SlotView, over: readonly number[]): SlotView => {
  const plan = planSlots(view, over);
  return {
    engines: view.engines.filter(({ id }) => !over.includes(id)),
    owners: view.owners.map((owner, slot) => plan.owners.get(slot) ?? owner),
  };
};

const poller: Poller = { id: 1, sessionAgeMs: 60_000, leaseHeldMs: 60_000 };
const halves = (slot: number): number => (slot < 128 ? 1 : 2);

/** What each poll of `poller` ends, at these instants. */
function polls(by: Poller, seen: readonly (readonly [at: number, other: Partial<SeenEngine>])[]): number[][] {
  const clock = createManualClock(0);
  const suspects = new Suspects();
  return seen.map(([at, other]) => {
    clock.set(at);
    const view = viewOf([engine(1), engine(2, other)], halves);
    suspects.observe(view, clock.now());
    return findDeadEngines(view, by, suspects, clock.now());
  });
}

test('an engine without its lock is over at the second poll in a row', () => {
  const isLocked = false;
  expect(
    polls(poller, [
      [0, { isLocked }],
      [250, { isLocked }],
    ]),
  ).toEqual([[], [2]]);
  // It had it back in between.
  expect(
    polls(poller, [
      [0, { isLocked }],
      [250, {}],
      [500, { isLocked }],
    ]),
  ).toEqual([[], [], []]);
  // Two polls at once are one: a hand-over makes another one.
  expect(
    polls(poller, [
      [0, { isLocked }],
      [5, { isLocked }],
    ]),
  ).toEqual([[], []]);
});

test('an engine without a beat for 3 s is over, although its lock is held', () => {
  expect(
    polls(poller, [
      [0, { silentMs: 2_999 }],
      [1, { silentMs: 3_000 }],
    ]),
  ).toEqual([[], [2]]);
});

test('an engine of a server alone has no beat, and is over as soon as its lock is free', () => {
  const alone = { silentMs: null, processId: null } as const;
  expect(
    polls(poller, [
      [0, alone],
      [250, alone],
    ]),
  ).toEqual([[], []]);
  expect(
    polls(poller, [
      [0, { ...alone, isLocked: false }],
      [250, { ...alone, isLocked: false }],
    ]),
  ).toEqual([[], [2]]);
});

test.each([
  ['its session is lost', { sessionAgeMs: null }],
  ['its session began less than 2 s ago', { sessionAgeMs: 1_999 }],
  ['its lease was lost less than 2 s ago', { leaseHeldMs: 1_999 }],
] as const)('an engine ends no other one while %s', (_, more) => {
  const dead = { isLocked: false, silentMs: 9_000 };
  expect(
    polls({ ...poller, ...more }, [
      [0, dead],
      [250, dead],
    ]),
  ).toEqual([[], []]);
});

test('an engine never ends itself', () => {
  const dead = viewOf([engine(1, { isLocked: false, silentMs: 9_000 })], () => 1);
  const suspects = new Suspects();
  suspects.observe(dead, 0);
  expect(findDeadEngines(dead, poller, suspects, 1_000)).toEqual([]);
});

test('slots without an owner and those of ended engines go to the engines with fewest', () => {
  const view = viewOf([engine(1), engine(2), engine(3)], (slot) =>
    slot < 100 ? 1 : slot < 200 ? 2 : slot < 210 ? 3 : 0,
  );
  expect(countsOf(withPlan(view, []))).toEqual({ 1: 100, 2: 100, 3: 56 });
  expect(countsOf(withPlan(view, [1]))).toEqual({ 2: 128, 3: 128 });
});

test('an engine that leaves, hangs, has no lock or is no member gets no slot; without any they stay free', () => {
  const others = [
    engine(2, { takesSlots: false }),
    engine(3, { silentMs: 3_000 }),
    engine(4, { isLocked: false }),
    engine(5, { silentMs: null }),
  ];
  expect(
    countsOf(
      withPlan(
        viewOf([engine(1), ...others], () => 0),
        [],
      ),
    ),
  ).toEqual({ 1: 256 });
  expect(
    planSlots(
      viewOf(others, () => 0),
      [],
    ).owners.size,
  ).toBe(0);
});

test('slots that a living engine owns are never planned away', () => {
  const view = viewOf([engine(1), engine(2)], (slot) => (slot === 7 ? 0 : 1));
  expect([...planSlots(view, []).owners]).toEqual([[7, 2]]);
});

test('engines even their slots out, at most 16 at a time, and then stop', () => {
  let view = viewOf([engine(1), engine(2), engine(3)], () => 1);
  for (let poll = 0; poll < 40; poll += 1) {
    for (const { id } of view.engines) {
      const given = new Set(slotsToGive(view, id));
      expect(given.size).toBeLessThanOrEqual(slotsPerMoveMax);
      expect(view.owners.every((owner, slot) => !given.has(slot) || owner === id)).toBe(true);
      view = withPlan(
        { ...view, owners: view.owners.map((owner, slot) => (given.has(slot) ? 0 : owner)) },
        [],
      );
    }
  }
  expect(Object.values(countsOf(view)).toSorted((a, b) => a - b)).toEqual([85, 85, 86]);
  expect(view.engines.flatMap(({ id }) => slotsToGive(view, id))).toEqual([]);
});

test('an engine that leaves gives everything, as long as another one takes it', () => {
  const leaving = engine(1, { takesSlots: false });
  let view = viewOf([leaving, engine(2)], halves);
  for (let poll = 0; poll < 8; poll += 1) {
    const given = new Set(slotsToGive(view, 1));
    expect(given.size).toBe(slotsPerMoveMax);
    view = withPlan({ ...view, owners: view.owners.map((owner, slot) => (given.has(slot) ? 0 : owner)) }, []);
  }
  expect(countsOf(view)).toEqual({ 2: 256 });
  expect(
    slotsToGive(
      viewOf([leaving], () => 1),
      1,
    ),
  ).toEqual([]);
  expect(slotsToGive(viewOf([leaving, engine(2, { takesSlots: false })], halves), 1)).toEqual([]);
});

test('nothing more is given while slots are free', () => {
  expect(
    slotsToGive(
      viewOf([engine(1), engine(2)], (slot) => (slot === 0 ? 0 : 1)),
      1,
    ),
  ).toEqual([]);
});
