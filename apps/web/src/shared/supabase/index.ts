export type { Supabase } from './client.ts';
export { loadServerConfig } from './config.ts';
export { connect } from './connect.ts';
export { SupabaseContext, useSupabase } from './context.ts';
export { latestOf } from './latest-rows.ts';
export { getErrorMessage, RequestError, unwrap, unwrapOrNull } from './request.ts';
export * from './rows.ts';
export { sessionKey } from './sessionKey.ts';
