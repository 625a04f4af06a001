/**
 * The seed of every property test. `npm test` tries the same cases on every run, so that a failure comes from the
 * change and not from chance; `npm run test:long` (PROPERTY_SEED=random) looks for new ones. A failure prints its seed.
 */
import fc from 'fast-check';

const everyRun = 20_261_121;
const requested = process.env.PROPERTY_SEED;
if (requested !== 'random')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(requested ?? everyRun) });
