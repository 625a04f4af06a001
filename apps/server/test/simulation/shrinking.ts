/** Shortens a scenario that fails to one in which no step can be left out, and prints it. */
import { textOf } from './comparison.ts';
import type { Scenario, Step } from './scenario.ts';
import { runScenario } from './simulation.ts';

/** Runs of one search. */
const attemptsMax = 400;

const failureOf = (scenario: Scenario): Promise<Error | null> =>
  runScenario(scenario).then(
    () => null,
    (error: Error) => error,
  );

export interface Shrunk {
  readonly scenario: Scenario;
  readonly error: Error;
}

/**
 * Removes ever smaller stretches of steps as long as the scenario still fails (delta debugging). Null when it does
 * not fail.
 */
export async function shrink(scenario: Scenario): Promise<Shrunk | null> {
  let error = await failureOf(scenario);
  if (!error) return null;
  let steps: readonly Step[] = scenario.steps;
  let attempts = 0;
  for (let length = Math.ceil(steps.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let from = 0; from < steps.length && attempts < attemptsMax; ) {
      attempts += 1;
      const fewer = [...steps.slice(0, from), ...steps.slice(from + length)];
      const failure = await failureOf({ ...scenario, steps: fewer });
      if (!failure) {
        from += length;
        continue;
      }
      steps = fewer;
      error = failure;
    }
  }
  return { scenario: { ...scenario, steps }, error };
}

/** For the log of a failed run: what differs, under which settings, after which steps. */
export function textOfShrunk({ scenario, error }: Shrunk): string {
  const { seed, rules, feeRate, pairs, traders, others, engines, limits, steps } = scenario;
  const settings = { seed, rules, feeRate, pairs, traders, others, engines, limits };
  const listed = steps.map((step, i) => `  ${i} ${JSON.stringify(step)}`);
  return [error.message, `settings: ${textOf(settings)}`, `${steps.length} steps:`, ...listed].join('\n');
}
