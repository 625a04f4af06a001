export { LinkedText } from './LinkedText.tsx';
export { type Piece, piecesOf } from './pieces.ts';
