import type { KeyboardEvent } from 'react';

/** Enter, which Shift makes a new line, unless it chooses a word of an input method; 229 is how older browsers say so. */
export const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;
