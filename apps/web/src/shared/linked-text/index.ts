export { LinkedText } from './LinkedText.tsx';
export { legible } from './pieces.ts';
