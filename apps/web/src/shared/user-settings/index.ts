export type { SyncedSetting } from './settings-sync.ts';
export { layoutSetting, useSyncedSettings } from './useSyncedSettings.ts';
