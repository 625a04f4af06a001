/** The public interface for other features: the section of Account Settings, and the list that staff see. */
export { ApiKeysSection } from './ApiKeysSection.tsx';
export { KeyList } from './KeyList.tsx';
export { fetchKeys, type ListedKey } from './keys.ts';
