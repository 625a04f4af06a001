import { expect, test } from 'vitest';
import { createTurns, type Turn } from './turns.ts';

const compute = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};
async function computeInSteps(turn: Turn, steps: number) {
  for (let step = 0; step < steps; step += 1) {
    await turn.keep();
    compute(1);
  }
}

test('other work comes in between, however many computations there are', async () => {
  const turns = createTurns();
  let rounds = 0;
  const others = setInterval(() => {
    rounds += 1;
  }, 1);
  await Promise.all(Array.from({ length: 10 }, () => turns.run((turn) => computeInSteps(turn, 20))));
  clearInterval(others);
  // 200 ms of work in turns of 5 ms; done at once it would be one round.
  expect(rounds).toBeGreaterThan(15);
});

test('a newcomer passes those who have had turns already', async () => {
  const turns = createTurns();
  const ended: string[] = [];
  const run = (name: string, steps: number) =>
    turns.run((turn) => computeInSteps(turn, steps)).then(() => ended.push(name));
  const long = [run('long', 100), run('long', 100)];
  await run('first', 10);
  await run('second', 15);
  expect(ended).toEqual(['first', 'second']);
  await Promise.all(long);
});

test('beyond 256 computations one is refused, and a failed one gives its place back', async () => {
  const turns = createTurns();
  const doors = Array.from({ length: 256 }, () => Promise.withResolvers<void>());
  const running = doors.map(({ promise }) => turns.run(() => promise));
  await expect(turns.run(async () => 'in')).rejects.toMatchObject({ code: 'busy' });
  doors[0]!.reject(new Error('broken'));
  await expect(running[0]).rejects.toThrow('broken');
  expect(await turns.run(async () => 'in')).toBe('in');
  for (const door of doors) door.resolve();
  await Promise.all(running.slice(1));
});
