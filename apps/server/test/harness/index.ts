export {
  administer,
  type ClonedDatabase,
  cloneDatabase,
  createTestDatabase,
  type TestDatabase,
  testLog,
} from './database.ts';
export { createManualFeed, type ManualFeed } from './feed.ts';
export { testLanes } from './lanes.ts';
export {
  server,
  shareTestServer,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type Trader,
  testPassword,
} from './server.ts';
