export { AccountSwitcher } from './AccountSwitcher.tsx';
