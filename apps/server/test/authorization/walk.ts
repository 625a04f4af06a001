/** Drives a walk over all requests: classifies each response, and compares all of them with the documentation. */
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';

/** What an answer amounts to; anything unforeseen is spelled out and matches nothing. */
export function outcome(
  { role }: { readonly role: string },
  answer: { status: number; error: { code: string; message: string } | null; data: unknown },
): string {
  if (answer.error) {
    const isDenied = answer.error.code === '42501' && answer.status === (role === 'anon' ? 401 : 403);
    return isDenied ? 'denied' : `${answer.status} ${answer.error.code} ${answer.error.message}`;
  }
  return Array.isArray(answer.data) && answer.data.length === 0 ? 'nothing' : 'done';
}

/** An answer to one who has asked too often is none: the walk waits and asks again. */
export async function unhurried<Answer extends { status: number }>(
  ask: () => PromiseLike<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 429) return answer;
    await setTimeout(1000);
  }
}

/** Runs the walk with a bounded number of requests in flight and compares it as a whole. */
export async function compare(
  walk: readonly { label: string; expected: string; run: () => Promise<string> }[],
): Promise<void> {
  const actual: string[] = [];
  const queue = [...walk.entries()];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [index, { label: what, run }] = next;
        actual[index] = `${what}: ${await run()}`;
      }
    }),
  );
  expect(actual).toEqual(walk.map(({ label: what, expected }) => `${what}: ${expected}`));
  expect(actual.length).toBeGreaterThan(0);
}
