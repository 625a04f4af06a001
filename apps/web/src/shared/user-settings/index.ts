export { ownSettingKey, saveOwnSetting, useOwnSetting } from './own-setting.ts';
export type { SyncedSetting } from './settings-sync.ts';
export { createStoredSetting } from './stored-setting.ts';
export { layoutSetting, useSyncedSettings } from './useSyncedSettings.ts';
