export { LinkedText } from './LinkedText.tsx';
export { replaceBidiControls } from './pieces.ts';
