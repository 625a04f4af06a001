export { AccountFrame } from './AccountFrame.tsx';
export { AccountSwitcher } from './AccountSwitcher.tsx';
