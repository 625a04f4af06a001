/** `ENGINE_LANES` of the servers and engines under test: `TEST_LANES=2` runs any test with two. */
export const testLanes = Number(process.env.TEST_LANES ?? 1);
