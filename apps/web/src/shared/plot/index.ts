export * from './axis.ts';
export * from './curve.ts';
export * from './readout.ts';
