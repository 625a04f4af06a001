import type { KeyboardEvent } from 'react';

/** Enter without Shift, unless it confirms an input method's composition; older browsers report that as 229. */
export const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;
