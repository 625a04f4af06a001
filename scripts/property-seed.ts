/**
 * The seed of every property test. `npm test` tries the same cases on every run, so that it says something about the
 * change and not about the day; `npm run test:long` (PROPERTY_SEED=random) looks for new ones. A failure prints its seed.
 */
import fc from 'fast-check';

const everyRun = 20_261_121;
const asked = process.env.PROPERTY_SEED;
if (asked !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(asked ?? everyRun) });
