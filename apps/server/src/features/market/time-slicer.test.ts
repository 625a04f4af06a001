import { expect, test } from 'vitest';
import { createTimeSlicer, type Slice } from './time-slicer.ts';

const compute = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
async function computeInSteps(slice: Slice, steps: number) {
  for (let step = 0; step < steps; step += 1) {
    await slice.yield();
    compute(1);
  }
}

test('other work comes in between, however many computations there are', async () => {
  const timeSlicer = createTimeSlicer();
  let rounds = 0;
  const others = setInterval(() => {
    rounds += 1;
  }, 1);
  await Promise.all(Array.from({ length: 10 }, () => timeSlicer.run((slice) => computeInSteps(slice, 20))));
  clearInterval(others);
  // 200 ms of work in slices of 5 ms; done at once it would be one round.
  expect(rounds).toBeGreaterThan(15);
});

test('a newcomer passes computations that have had slices already', async () => {
  const timeSlicer = createTimeSlicer();
  const ended: string[] = [];
  const run = (name: string, steps: number) =>
    timeSlicer.run((slice) => computeInSteps(slice, steps)).then(() => ended.push(name));
  const long = [run('long', 100), run('long', 100)];
  await run('first', 10);
  await run('second', 15);
  expect(ended).toEqual(['first', 'second']);
  await Promise.all(long);
});

test('beyond 256 computations one is refused, and a failed one gives its place back', async () => {
  const timeSlicer = createTimeSlicer();
  const doors = Array.from({ length: 256 }, () => Promise.withResolvers<void>());
  const running = doors.map(({ promise }) => timeSlicer.run(() => promise));
  await expect(timeSlicer.run(async () => 'in')).rejects.toMatchObject({ code: 'busy' });
  doors[0]!.reject(new Error('broken'));
  await expect(running[0]).rejects.toThrow('broken');
  expect(await timeSlicer.run(async () => 'in')).toBe('in');
  for (const door of doors) door.resolve();
  await Promise.all(running.slice(1));
});
