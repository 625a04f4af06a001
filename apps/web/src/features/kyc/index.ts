export { VerificationSection } from './form/VerificationSection.tsx';
