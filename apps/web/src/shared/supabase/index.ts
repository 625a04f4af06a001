export type { Supabase } from './client.ts';
export { type ServerConfig, serverConfig } from './config.ts';
export { connect } from './connect.ts';
export { SupabaseContext, useSupabase } from './context.ts';
export { answerOf, messageOf, RequestError, rowsOf } from './request.ts';
export * from './rows.ts';
export { sessionKey } from './sessionKey.ts';
