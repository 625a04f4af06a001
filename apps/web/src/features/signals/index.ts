export { SignalsLink } from './SignalsLink.tsx';
